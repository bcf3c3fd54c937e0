-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Finds the invoices that nobody paid and that nothing shows, so that they can be forgotten.

CREATE INDEX "Invoice_purpose_status_expiresAt_idx" ON "Invoice"("purpose", "status", "expiresAt");
