import { onTestFinished, TestRunner } from 'vitest'

/**
 * Closes a world when the test that opened it has finished; a world that no test opened stays open. A test may close
 * its world earlier.
 */
export function closeAfterTest(world: { close(): Promise<void> }): void {
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => world.close())
}
