import { expect, onTestFinished, test } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { type PortBlock, reservePort, takePortBlock } from '../../../src/lib/http/port-block.ts'
import { listenOn } from '../../support/listen-on.ts'

async function take(requested?: number): Promise<PortBlock> {
  const block = await takePortBlock(systemEntropy, requested)
  onTestFinished(() => block.giveBack())
  return block
}

test('simultaneous callers get different ports even if none of them listens yet', async () => {
  const blocks = await Promise.all(Array.from({ length: 40 }, () => take(24_000)))
  const ports = blocks.flatMap((block) => block.ports)
  expect(new Set(ports).size).toBe(ports.length)
})

test('a port of a block is never in the range from which the system assigns ports', async () => {
  for (const port of (await take()).ports) {
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_768)
  }
})

test('a returned block can be taken again by requesting one of its ports', async () => {
  const first = await takePortBlock(systemEntropy)
  const [requested = 0] = first.ports
  await first.giveBack()
  expect((await take(requested)).ports).toEqual(first.ports)
})

test('ports in use are left out, and a block with too few free ports is skipped', async () => {
  const { ports, giveBack } = await takePortBlock(systemEntropy)
  await giveBack()
  const [first = 0, second = 0, third = 0, fourth = 0, ...others] = ports
  await Promise.all([listenOn(first), listenOn(second), listenOn(third)])
  const again = await takePortBlock(systemEntropy, first)
  expect(again.ports).toEqual([fourth, ...others])
  await again.giveBack()
  await listenOn(fourth)
  for (const port of others) expect((await take(port)).ports).not.toContain(port)
})

test('a caller gets a block even if the requested port is outside all blocks', async () => {
  expect((await take(8787)).ports.length).toBeGreaterThanOrEqual(4)
})

test('a port of another caller’s block cannot be reserved', async () => {
  const { ports, giveBack } = await takePortBlock(systemEntropy)
  const [port = 0] = ports
  expect(await reservePort(port)).toBeUndefined()
  await giveBack()
  const release = await reservePort(port)
  expect(release).toBeDefined()
  await release?.()
})

test('a block leaves out a port that another caller has reserved', async () => {
  const { ports, giveBack } = await takePortBlock(systemEntropy)
  await giveBack()
  const [reserved = 0, ...others] = ports
  const release = await reservePort(reserved)
  expect((await take(reserved)).ports).toEqual(others)
  await release?.()
})
