-- When a lone operator's word takes effect by itself. "delay" seconds no other word, and none before its time.
ALTER TABLE "Decision" ADD COLUMN "dueAt" DATETIME CONSTRAINT "Decision_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt"));
ALTER TABLE "Booking" ADD COLUMN "dueAt" DATETIME CONSTRAINT "Booking_delay" CHECK ("secondedBy" IS NULL OR "secondedBy" <> 'delay' OR ("dueAt" IS NOT NULL AND "secondedAt" >= "dueAt"));
