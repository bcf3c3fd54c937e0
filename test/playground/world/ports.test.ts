import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { type Ports, storedPorts } from '../../../src/playground/world/ports.ts'
import { listenOn } from '../../support/listen-on.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ports-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Resolves to the ports of a start that ends immediately. */
async function start(folder: string, requested?: Ports): Promise<Ports> {
  const { giveBack, ...ports } = await storedPorts(folder, systemEntropy, requested)
  await giveBack()
  return ports
}

test('each part has its own port and gets it again at the next start', async () => {
  const folder = newFolder()
  const ports = await start(folder)
  expect(new Set(Object.values(ports)).size).toBe(3)
  expect(await start(folder)).toEqual(ports)
})

test('no other world gets a world’s ports until that world gives them back', async () => {
  const { giveBack, ...ports } = await storedPorts(newFolder(), systemEntropy)
  onTestFinished(giveBack)
  const more = await Promise.all(Array.from({ length: 20 }, () => start(newFolder())))
  for (const port of more.flatMap((one) => Object.values(one))) expect(Object.values(ports)).not.toContain(port)
})

test('a requested port is used if it is free, and is stored for the next start', async () => {
  const requested = await start(newFolder())
  const folder = newFolder()
  expect(await start(folder, requested)).toEqual(requested)
  expect(await start(folder)).toEqual(requested)
})

test('worlds that start at the same time never share a requested port', async () => {
  const requested = await start(newFolder())
  const worlds = await Promise.all(Array.from({ length: 5 }, () => storedPorts(newFolder(), systemEntropy, requested)))
  onTestFinished(async () => {
    await Promise.all(worlds.map(({ giveBack }) => giveBack()))
  })
  const ports = worlds.flatMap(({ giveBack, ...each }) => Object.values(each))
  expect(new Set(ports).size).toBe(ports.length)
  expect(ports).toEqual(expect.arrayContaining(Object.values(requested)))
})

test('a port that another program has taken is replaced; the other ports stay the same', async () => {
  const folder = newFolder()
  const before = await start(folder)
  await listenOn(before.service)
  const after = await start(folder)
  expect(after).toMatchObject({ emulator: before.emulator, callbacks: before.callbacks })
  expect(after.service).not.toBe(before.service)
})
