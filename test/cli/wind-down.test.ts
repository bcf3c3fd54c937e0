import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureClaimsKey, readClaimsFile, writeClaimsFile } from '../../src/assembly/claim-files.ts'
import { openForOperators } from '../../src/assembly/open-for-operators.ts'
import { inJson, inWords } from '../../src/cli/operator-order.ts'
import { readWindDownOrder } from '../../src/cli/wind-down-order.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { Problem } from '../../src/lib/problem.ts'
import { TippingRefusal } from '../../src/tipping/tipping.ts'
import { BY, community, throughTheRounds, useCodes } from '../tipping/wind-down/community.ts'
import { TippingWorld } from '../tipping/world.ts'

const OLGA = '850686812299984896'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wind-down-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens the book beside the running bot, as the command does. */
async function beside<T>(
  world: TippingWorld,
  run: (access: Awaited<ReturnType<typeof openForOperators>>) => Promise<T>,
) {
  const { baseUrl } = world.provider
  const environment = {
    TIPPING_DATABASE_URL: world.database.url,
    PAYMENTS_BASE_URL: baseUrl,
    PAYMENTS_API_KEY: 'key',
  }
  const runtime = { clock: world.clock, entropy: systemEntropy, logger: silentLogger }
  const access = await openForOperators(parseConfig(environment), 1, runtime)
  try {
    return await world.run(run(access))
  } finally {
    await world.run(access.close())
  }
}

/** Types `satchel wind-down …`. Resolves to the command's output, or to the refusal's text. */
async function typed(world: TippingWorld, ...args: string[]): Promise<unknown> {
  const order = readWindDownOrder(args)
  const madeAt = new Date(world.clock.now())
  return await beside(world, async (access) => {
    try {
      const answer = await order(access, async (file, isFirst, list) => {
        ensureClaimsKey(folder, { isFirst })
        return writeClaimsFile(folder, file, { ...(await list()), madeAt })
      })
      return JSON.parse(inJson(answer))
    } catch (error) {
      if (error instanceof Problem) return error.message
      if (!(error instanceof TippingRefusal)) throw error
      return inWords(error, access)
    }
  })
}

describe('an operator at the terminal', () => {
  it('winds down a bot and writes a claim list that a successor credits only once', { timeout: 120_000 }, async () => {
    const here = await community(2)
    const { world } = here
    const file = join(folder, 'claims.json')
    try {
      expect(await typed(world)).toEqual({ state: 'none' })
      expect(await typed(world, '--dry-run')).toMatchObject({
        payments: [{ way: 'code' }, { way: 'wallet' }, { way: 'address' }],
      })
      expect(await typed(world, '--by', BY, '--operator', OLGA)).toMatchObject({ state: 'proposed' })
      expect(await typed(world, '--by', BY, '--operator', OLGA)).toContain('Another operator has to confirm')
      expect(await typed(world, '--by', BY, '--operator', 'oscar')).toMatchObject({ state: 'on' })
      expect(await typed(world, '--claims', file)).toContain('The claim list is for what is left after that')
      await throughTheRounds(world)
      expect(await typed(world, '--claims', file)).toContain(
        'The rounds are not over: payments are still under way (1, including codes',
      )
      await useCodes(world)
      const written = await typed(world, '--claims', file)
      expect(statSync(file).size).toBeGreaterThan(0)
      expect(await typed(world, '--stop')).toContain('can no longer be stopped')
      expect(await typed(world)).toMatchObject({ state: 'listed', balances: { count: 0 } })
      const { key, claims, amount } = written as { key: string; claims: number; amount: string }
      expect(await adoptedBySuccessor(file, key)).toEqual([
        { count: claims, amount, before: 0 },
        { count: 0, amount: '0', before: claims },
      ])
      // On another machine, or in another bot's folder, a list with another key would be credited a second time.
      rmSync(join(folder, 'claims-key.pem'))
      expect(await typed(world, '--claims', join(folder, 'again.json'))).toContain('credit every line a second time')
      expect(existsSync(join(folder, 'again.json'))).toBe(false)
    } finally {
      await here.close()
    }
  })

  it('can stop a wind-down before claims are listed', async () => {
    const here = await community(0)
    try {
      expect(await typed(here.world, '--stop')).toContain('No wind-down has begun')
      await typed(here.world, '--by', BY, '--operator', OLGA)
      await typed(here.world, '--by', BY, '--operator', 'oscar')
      expect(await typed(here.world, '--stop')).toEqual({ state: 'stopped' })
      expect(await typed(here.world)).toEqual({ state: 'none' })
      expect(existsSync(join(folder, 'claims-key.pem'))).toBe(false)
    } finally {
      await here.close()
    }
  })

  it.each([
    [['--by', BY, '--stop'], 'Give only one of'],
    [['--dry-run', '--claims', 'x'], 'Give only one of'],
    [['--by'], '--help'],
    [['now'], '--help'],
    [['--operator', ' '], '--operator takes a name'],
  ])('is told what is wrong with the arguments: %j', (args, says) => {
    expect(() => readWindDownOrder(args)).toThrow(says)
  })
})

/**
 * Makes another bot on the same network, whose operator has enough sats, credit the list twice. Resolves to both
 * results.
 */
async function adoptedBySuccessor(file: string, key: string): Promise<unknown[]> {
  const world = await TippingWorld.open({ wallet: 1_000_000_000n })
  try {
    world.network = 'regtest'
    await world.restart()
    await world.settle()
    const adopt = () => beside(world, ({ windDown }) => windDown.adopt(readClaimsFile(file, key)))
    return [JSON.parse(inJson(await adopt())), JSON.parse(inJson(await adopt()))]
  } finally {
    await world.close()
  }
}
