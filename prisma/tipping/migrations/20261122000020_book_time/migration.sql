-- The newest time that the book has seen, which moves with the clock of a running process and never jumps with the wall clock.

CREATE TABLE "BookTime" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    CONSTRAINT "BookTime_single" CHECK ("id" = 1)
);
