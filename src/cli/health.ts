import { readConfig } from '../config/config.ts'

/** Exits 0 when the process in this container answers, whichever it is: bot, service or playground. */
const { callbacks, service, playgroundPort } = readConfig()
const ports = [callbacks.port, service.port, playgroundPort]
const answers = await Promise.all(
  ports.map((port) =>
    fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined),
  ),
)
process.exit(answers.some((answer) => answer?.ok) ? 0 : 1)
