"""Your first charge: makes an invoice for 21 sats, prints it, and waits until it is paid."""

import os
import sys
import time

from satchel import PaymentsClient, PaymentsError

key = os.environ.get("SATCHEL_KEY")
if not key:
    sys.exit("Set SATCHEL_KEY to the apiKey of your project.")
client = PaymentsClient(os.environ.get("SATCHEL_URL", "http://127.0.0.1:8787"), key)

try:
    charge = client.create_charge(
        amount=21_000, description="Order 7", internal_id="order-7", idempotency_key="order-7"
    ).data
    print(f"Pay this: {charge['invoice']['request']}", flush=True)
    while charge["status"] == "pending":
        time.sleep(1)
        charge = client.get_charge(id=charge["id"]).data
    if charge["status"] != "completed":
        sys.exit("nobody paid in time")
    print(f"Paid at {charge['confirmedAt']}")
except PaymentsError as error:
    # After "no", nothing has happened. After "maybe", send the same request again with the same key.
    sys.exit(f"{error.message} (happened: {error.happened})")
