import { onTestFinished, TestRunner } from 'vitest'

/** Closes a world when the test that opened it has finished; one that no test opened stays open. A test may close it before. */
export function closeAfterTest(world: { close(): Promise<void> }): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => world.close())
}
