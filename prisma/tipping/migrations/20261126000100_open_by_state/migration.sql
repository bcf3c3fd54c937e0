-- What is open is found by its state, however much has ended: invoices that are being created, and withdrawals whose fee is not known yet.

CREATE INDEX "Invoice_state_idx" ON "Invoice"("state");

DROP INDEX "Withdrawal_state_idx";
CREATE INDEX "Withdrawal_state_fee_idx" ON "Withdrawal"("state", "fee");
