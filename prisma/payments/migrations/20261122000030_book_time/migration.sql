-- The newest time that the book has seen, which moves with the clock of a running process and never jumps with the wall clock;
-- and when an operator last confirmed that the wall clock is right, until that is acted upon.

CREATE TABLE "BookTime" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "confirmedAt" DATETIME,
    CONSTRAINT "BookTime_single" CHECK ("id" = 1)
);
