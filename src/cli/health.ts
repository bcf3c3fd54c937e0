import { readConfig } from '../config/config.ts'

/** Exits 0 when the process in this container answers: the page of the playground, or else the callback server. */
const config = readConfig()
const url = config.discord
  ? `http://127.0.0.1:${config.callbacks.port}/health`
  : `http://127.0.0.1:${config.playgroundPort}/health`
const answer = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => undefined)
process.exit(answer?.ok ? 0 : 1)
