-- When an operator last confirmed that the wall clock is right, by that clock; until that is acted upon.

ALTER TABLE "BookTime" ADD COLUMN "confirmedAt" DATETIME;
