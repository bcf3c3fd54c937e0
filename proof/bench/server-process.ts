import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Usage } from './serve.ts'

export interface Server {
  readonly url: string
  usage(): Promise<Usage>
}

/** Runs `serve.ts` with these arguments in its own process for as long as `use` takes. */
export async function withServer<T>(args: readonly string[], use: (server: Server) => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, 'serve.ts'), args, { execArgv: optionsOfService() })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  try {
    return await use({ url, usage: () => askUsage(child) })
  } finally {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** Returns the options of node with which `npm run service` starts, so that the measurement matches it. */
function optionsOfService(): string[] {
  const about = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const { service } = (about as { scripts: { service: string } }).scripts
  const words = service.split(' ').slice(1)
  return words.slice(
    0,
    words.findIndex((word) => word.startsWith('src/')),
  )
}

async function askUsage(child: ChildProcess): Promise<Usage> {
  child.send('usage')
  const [usage] = (await once(child, 'message')) as [Usage]
  return usage
}
