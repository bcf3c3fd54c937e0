-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- Who took a batch's rest back: null where it expired, or was closed by an earlier version.
ALTER TABLE "VoucherBatch" ADD COLUMN "closedBy" TEXT COLLATE "C";
