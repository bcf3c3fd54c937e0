import { describe, expect, it } from 'vitest'
import { type BalanceProof, balanceProofShape, faultsOfBalance } from '../../../src/lib/proofs/balance-proof.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

async function begin(): Promise<void> {
  world = await TippingWorld.open({ replays: false })
  await world.fund('alice', 10_000)
  await world.fund('bob', 700)
}

async function proofOf(member: string): Promise<BalanceProof> {
  return await world.tipping.administration.balanceProof(member)
}

describe('the public status', () => {
  it('shows the debt, the holdings and the time of the proof', async () => {
    await begin()
    await world.tipping.administration.audit()
    expect(await world.tipping.administration.status()).toEqual({
      proven: {
        at: new Date(world.clock.now()),
        holds: true,
        owed: 10_700_000n,
        wallet: 10_700_000n,
        expected: 10_700_000n,
        mayHaveLeft: 0n,
        mayHaveArrived: 0n,
        root: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      inFlight: { count: 0, oldestSince: undefined },
      paused: undefined,
    })
  })

  it('does not count the operator’s own sats as debt', async () => {
    world = await TippingWorld.open({ wallet: 50_000n })
    await world.fund('alice', 10)
    await world.tipping.administration.audit()
    expect((await world.tipping.administration.status()).proven).toMatchObject({ owed: 10_000n, wallet: 60_000n })
  })

  it('counts payments in flight, and shows the age of the oldest', async () => {
    await begin()
    await world.linked('bob')
    world.provider.misbehave('payToGamertag', 'act-then-error')
    const since = new Date(world.clock.now())
    await world.tip('alice', 'bob', '100')
    await world.pass(60_000)
    expect((await world.tipping.administration.status()).inFlight).toEqual({ count: 1, oldestSince: since })
  })

  it('shows a new proof after each scheduled audit, even after a restart', async () => {
    await begin()
    await world.tipping.close()
    await world.start({ auditEveryMs: 3_600_000 })
    await world.settle()
    const before = (await world.tipping.administration.status()).proven
    await world.tip('alice', 'bob', '5')
    await world.pass(3_600_000)
    const after = (await world.tipping.administration.status()).proven
    expect(after?.at.getTime()).toBe((before?.at.getTime() ?? 0) + 3_600_000)
    expect(after?.root).not.toBe(before?.root)
  })

  it('shows that the wallet holds less than the debt, and that payments are paused', async () => {
    await begin()
    world.provider.wallet -= 1_000n
    await world.tipping.administration.audit()
    expect(await world.tipping.administration.status()).toMatchObject({
      proven: { holds: false, owed: 10_700_000n, wallet: 10_699_000n },
      paused: { source: 'cover', reason: expect.stringContaining('1 sats less') },
    })
    world.provider.wallet += 1_000n
  })
})

describe('the proof of a balance', () => {
  it('leads from the balance to the published root, for every member with a balance', async () => {
    await begin()
    for (const member of ['carol', 'dave', 'erin']) {
      await world.available(member)
      await world.tip('alice', member, '333')
    }
    await world.tip('alice', 'stranger', '100')
    await world.tipping.administration.audit()
    const { proven } = await world.tipping.administration.status()
    for (const [member, balance] of [
      ['alice', '8901000'],
      ['bob', '700000'],
      ['carol', '333000'],
      ['dave', '333000'],
      ['erin', '333000'],
    ] as const) {
      const proof = await proofOf(member)
      expect(proof).toMatchObject({ member, balanceMsats: balance, root: proven?.root, totalMsats: '10700000' })
      expect(faultsOfBalance(proof)).toEqual([])
      expect(balanceProofShape.parse(proof)).toEqual(proof)
      expect(proof.at).toBe(proven?.at.toISOString())
    }
    // Equal balances are cut at other places, and no salt tells of another one.
    const parts = (await Promise.all(['carol', 'dave', 'erin'].map(proofOf))).flatMap((proof) => proof.parts)
    expect(new Set(parts.map(({ amountMsats }) => amountMsats)).size).toBe(6)
    expect(new Set(parts.map(({ salt }) => salt)).size).toBe(6)
  })

  it('exists for a balance of 1 msat, but not for an empty balance', async () => {
    await begin()
    await world.tip('bob', 'alice', '0.00000699999 btc')
    await world.tipping.administration.audit()
    const proof = await proofOf('bob')
    expect(proof).toMatchObject({ balanceMsats: '1', parts: [{ part: 0 }, { part: 1 }] })
    expect(faultsOfBalance(proof)).toEqual([])
    await world.tip('alice', 'bob', '10')
    await world.tip('bob', 'alice', '10001 msats')
    await world.tipping.administration.audit()
    await expect(proofOf('bob')).rejects.toMatchObject({ code: 'balance-not-proven' })
  })

  it('is refused before the first audit', async () => {
    world = await TippingWorld.open({ walletUnread: true })
    await expect(proofOf('alice')).rejects.toMatchObject({ code: 'balance-not-proven' })
    world.provider.stopMisbehaving('getWallet')
  })

  it('stays as published when sats move later', async () => {
    await begin()
    await world.tipping.administration.audit()
    const { proven } = await world.tipping.administration.status()
    await world.tip('alice', 'bob', '9000')
    const proof = await proofOf('alice')
    expect(proof).toMatchObject({ balanceMsats: '10000000', root: proven?.root })
    expect(faultsOfBalance(proof)).toEqual([])
  })

  it('is invalid if a balance, a sum, a salt, a name or a neighbour was changed', async () => {
    await begin()
    await world.tipping.administration.audit()
    const proof = await proofOf('bob')
    const [part, other] = proof.parts
    const [step] = part?.path ?? []
    if (part === undefined || other === undefined || step === undefined) throw new Error('the tree is too small')
    const withPart = (change: Partial<typeof part>) => ({ ...proof, parts: [{ ...part, ...change }, other] })
    const withStep = (change: Partial<typeof step>) =>
      withPart({ path: [{ ...step, ...change }, ...part.path.slice(1)] })
    for (const altered of [
      { ...proof, balanceMsats: '700001' },
      { ...proof, totalMsats: '10700001' },
      { ...proof, member: 'alice' },
      { ...proof, root: '0'.repeat(64) },
      { ...proof, leaves: proof.leaves + 1 },
      { ...proof, parts: [part, part] },
      { ...proof, parts: [part] },
      withPart({ amountMsats: (BigInt(part.amountMsats) + 1n).toString() }),
      withPart({ salt: '0'.repeat(64) }),
      withPart({ path: part.path.slice(1) }),
      withStep({ sumMsats: (BigInt(step.sumMsats) + 1n).toString() }),
      withStep({ sumMsats: '9999999999999999999' }),
      withStep({ hash: '0'.repeat(64) }),
      withStep({ side: step.side === 'left' ? 'right' : 'left' }),
    ]) {
      expect(faultsOfBalance(altered)).not.toEqual([])
    }
  })

  it('is refused to a member who had no balance', async () => {
    await begin()
    await world.tipping.administration.audit()
    await expect(proofOf('carol')).rejects.toMatchObject({ code: 'balance-not-proven' })
  })
})
