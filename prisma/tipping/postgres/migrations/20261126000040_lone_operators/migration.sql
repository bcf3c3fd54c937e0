-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- When a lone operator's word takes effect by itself. "delay" seconds no other word, and none before its time.
ALTER TABLE "Decision" ADD COLUMN "dueAt" TIMESTAMP(3) CONSTRAINT "Decision_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt"));
ALTER TABLE "Booking" ADD COLUMN "dueAt" TIMESTAMP(3) CONSTRAINT "Booking_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt"));
