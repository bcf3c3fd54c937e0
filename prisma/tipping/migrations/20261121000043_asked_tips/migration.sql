-- Large tips that wait for a second word. Nothing of them has moved.

CREATE TABLE "AskedTip" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "member" TEXT NOT NULL,
    "command" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);
