"""Prints photos whose texts look like markup, as JSON Lines."""

import json

TEXTS = [
    "<img src=x onerror=\"window.wasRun = 1\"><script>window.wasRun = 1</script>",
    "<img src=x><svg onload='window.wasRun=1'></svg> javascript:window.wasRun=1",
    "<img src=x>'\"><iframe srcdoc='<script>parent.wasRun=1</script>'></iframe> &lt;b&gt; ${wasRun = 1}",
]
for number, text in enumerate(TEXTS * 5):
    print(json.dumps({
        "id": f"<script>wasRun=1</script>\"'&#{number}", "width": 600, "height": 400 + number, "caption": text,
        "title": f"<script>window.wasRun = 1</script> {text}", "alt": text if number % 2 else None, "tags": [text],
        "takenAt": "2026-03-01", "color": "#808080", "location": f"javascript:wasRun={number}", "camera": text,
    }))
