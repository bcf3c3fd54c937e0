import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Entropy } from '../../lib/entropy.ts'
import { reservePort, takePortBlock } from '../../lib/http/port-block.ts'

const PARTS = ['emulator', 'service', 'callbacks'] as const
const shape = z.object({ emulator: z.int(), service: z.int(), callbacks: z.int() })

/**
 * The ports of a world's parts. Codes and the addresses of pictures in conversations contain them, so they stay the
 * same after a restart.
 */
export type Ports = z.infer<typeof shape>

/** Ports that no other world can take, even while a part of this world is down. */
export interface StoredPorts extends Ports {
  giveBack(): Promise<void>
}

/**
 * Reserves a port for each part: the port of the last start if it is still free, or else the requested port, or else
 * any port. Stores the ports for the next start. They belong to this world until it gives them back. A requested port
 * of 0 means any port.
 */
export async function storedPorts(folder: string, entropy: Entropy, requested?: Ports): Promise<StoredPorts> {
  const file = join(folder, 'ports.json')
  const last = lastPorts(folder)
  const block = await takePortBlock(entropy, last?.emulator)
  const ports = { emulator: 0, service: 0, callbacks: 0 }
  const reserved: (() => Promise<void>)[] = []
  const lasting = Object.values(last ?? {})
  for (const part of PARTS) {
    const taken = Object.values(ports)
    const liked = [last?.[part] ?? 0, requested?.[part] ?? 0].filter((port) => port !== 0 && !taken.includes(port))
    ports[part] = (await firstFree(liked, block.ports, reserved)) ?? anyOf(block.ports, [...taken, ...lasting])
  }
  writeFileSync(file, `${JSON.stringify(ports)}\n`)
  return {
    ...ports,
    async giveBack() {
      await Promise.all([block.giveBack(), ...reserved.map((release) => release())])
    },
  }
}

/** Returns the ports of a playground's last start in this folder; undefined if there was none. */
export function lastPorts(folder: string): Ports | undefined {
  const file = join(folder, 'ports.json')
  return shape.safeParse(existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined).data
}

/**
 * Returns the first port that can be reserved, and adds to `reserved` how to release it. Ports in this world's own
 * block are reserved already.
 */
async function firstFree(
  ports: readonly number[],
  own: readonly number[],
  reserved: (() => Promise<void>)[],
): Promise<number | undefined> {
  for (const port of ports) {
    if (own.includes(port)) return port
    const release = await reservePort(port)
    if (release === undefined) continue
    reserved.push(release)
    return port
  }
  return undefined
}

function anyOf(ports: readonly number[], taken: readonly number[]): number {
  const port = ports.find((candidate) => !taken.includes(candidate))
  if (port === undefined) throw new Error('all ports of the block are taken by parts of the world')
  return port
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
