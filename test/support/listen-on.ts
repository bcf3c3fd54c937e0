import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** Listens on a port until the test ends. */
export async function listenOn(port: number): Promise<void> {
  const server = createServer()
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
}
