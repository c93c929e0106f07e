#include "MakePipe.h"
#include "OpenBeneath.h"
#include "SQLiteTriggers.h"
