-- When a session of a shard was begun last: all processes together begin one every five seconds.

ALTER TABLE "GatewayShard" ADD COLUMN "begunAt" DATETIME;
