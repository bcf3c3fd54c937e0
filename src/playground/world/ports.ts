import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'

const shape = z.object({ emulator: z.int(), service: z.int(), callbacks: z.int() })

/** The ports of a world's parts. Codes and pictures in the conversation carry them, so they are kept across restarts. */
export type Ports = z.infer<typeof shape>

/** The ports of the last start where they are still free, else the wished ones, else any; written down for next time. */
export async function keptPorts(folder: string, wished: Ports): Promise<Ports> {
  const file = join(folder, 'ports.json')
  const last = shape.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined)
  const ports = { ...wished }
  const taken = new Set<number>()
  for (const part of ['emulator', 'service', 'callbacks'] as const) {
    const candidates = [...(last.success ? [last.data[part]] : []), wished[part], 0].filter((port) => !taken.has(port))
    ports[part] = await firstFree(candidates)
    taken.add(ports[part])
  }
  writeFileSync(file, `${JSON.stringify(ports)}\n`)
  return ports
}

async function firstFree(candidates: readonly number[]): Promise<number> {
  for (const candidate of candidates) {
    const port = await tryPort(candidate)
    if (port !== undefined) return port
  }
  throw new Error('No port is free on this machine.')
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const found = typeof address === 'object' && address !== null ? address.port : undefined
      server.close(() => resolve(found))
    })
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
