"""Prints records of made-up photos as JSON Lines. Arguments: their number, and the seed."""

import json
import random
import sys

count, seed = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
for number in range(count):
    record = {
        "id": f"2023/été {number}" if number % 10 == 3 else f"photo-{number}",
        "width": random.randint(200, 6000),
        "height": random.randint(200, 6000),
    }
    if number % 3:
        day = (2010 + random.randint(0, 14), random.randint(1, 12), random.randint(1, 28))
        record["takenAt"] = "%04d-%02d-%02dT%02d:30:00+01:00" % (*day, random.randint(0, 23))
    if number % 4 == 0:
        record["caption"] = f"caption {number}"
    if number % 5 == 0:
        record.update(latitude=random.uniform(-80, 80), longitude=random.uniform(-180, 180))
    print(json.dumps(record, ensure_ascii=False))
