import { expect, onTestFinished, test } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { type PortBlock, takePortBlock } from '../../../src/lib/http/port-block.ts'
import { listenOn } from '../../support/listen-on.ts'

async function take(requested?: number): Promise<PortBlock> {
  const block = await takePortBlock(systemEntropy, requested)
  onTestFinished(() => block.giveBack())
  return block
}

test('simultaneous callers get their own ports before anybody listens', async () => {
  const blocks = await Promise.all(Array.from({ length: 40 }, () => take(24_000)))
  const ports = blocks.flatMap((block) => block.ports)
  expect(new Set(ports).size).toBe(ports.length)
})

test('a port is never one that the system assigns by itself', async () => {
  for (const port of (await take()).ports) {
    expect(port).toBeGreaterThanOrEqual(20_000)
    expect(port).toBeLessThan(32_768)
  }
})

test('a requested port’s block is available again after its return', async () => {
  const first = await takePortBlock(systemEntropy)
  const [requested = 0] = first.ports
  await first.giveBack()
  expect((await take(requested)).ports).toEqual(first.ports)
})

test('ports in use are left out, and a block with many of them is skipped', async () => {
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

test('a requested port outside the blocks is permitted', async () => {
  expect((await take(8787)).ports.length).toBeGreaterThanOrEqual(4)
})
