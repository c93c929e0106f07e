#include "OpenBeneath.h"
#include "SQLiteTriggers.h"
