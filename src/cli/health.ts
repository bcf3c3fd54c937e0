import { readConfig } from '../config/config.ts'
import { fail, takeNoOptions } from './run.ts'

/** Resolves to whether the process in this container answers, be it a bot, a service, a sandbox or a playground. */
async function main(): Promise<boolean> {
  takeNoOptions()
  const { callbacks, service, sandbox, playgroundPort } = readConfig()
  const ports = [callbacks.port, service.port, sandbox.port, playgroundPort]
  const answers = await Promise.all(
    ports.map((port) =>
      fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined),
    ),
  )
  return answers.some((answer) => answer?.ok)
}

process.exit((await main().catch(fail)) ? 0 : 1)
