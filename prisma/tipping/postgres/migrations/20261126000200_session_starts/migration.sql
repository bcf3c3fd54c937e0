-- Derived from the files for SQLite by `node scripts/derive-postgres.ts`. Change those, and derive again.

-- When a session of a shard was begun last: all processes together begin one every five seconds.

ALTER TABLE "GatewayShard" ADD COLUMN "begunAt" TIMESTAMP(3);
