-- Who took a batch's rest back: null where it expired, or was closed by an earlier version.
ALTER TABLE "VoucherBatch" ADD COLUMN "closedBy" TEXT;
