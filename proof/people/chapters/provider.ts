import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { askToWithdraw, claimWithdrawal } from '../../../src/lib/lightning/lnurl-client.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { turns } from '../../world/wait-until-idle.ts'
import { Bug } from '../../world/world.ts'
import { askFor } from '../deposits.ts'
import { isRefusal, pay as payOutside } from '../payers.ts'
import type { Stage } from '../people.ts'
import { chargeFor, keysend, makeCode, pay } from '../stranger.ts'
import { type Browser, receive, sendTo, signIn } from '../users.ts'
import { type Chapter, linkSomewhere, members, wait } from './chapter.ts'

const MINUTE_MS = 60_000

/** A user receives sats by an invoice, and sends some of them to others, in smaller and larger sums. */
export const walletPages: Chapter = async (stage) => {
  const browser = await anyBrowser(stage)
  if (browser === undefined) return
  const payable = await receive(stage, browser, stage.chance.between(500, 900))
  if (payable === undefined) return
  await payOutside(stage, payable)
  await wait(stage, 2_000)
  for (const amount of [stage.chance.between(2, 19), stage.chance.between(4, 20) * 5])
    await sendTo(stage, browser, stage.chance.one(stage.world.users.filter((user) => user !== browser.user)), amount)
}

async function anyBrowser(stage: Stage): Promise<Browser | undefined> {
  for (let tries = 0; tries < 3; tries += 1) {
    const browser = await signIn(stage, stage.chance.one(stage.world.users))
    if (browser !== undefined) return browser
    await wait(stage, 10_000)
  }
  return undefined
}

/** Routes cost more than the payers allow: the operator bears the rest. */
export const dearKeysends: Chapter = async (stage) => {
  stage.world.sandbox.setFault('overcharge', { times: 3 })
  const amount = sats(stage.chance.between(1, 900))
  const { invoice } = stage.world.sandbox.outside.createInvoice({ amount })
  await keysend(stage, `dear-${stage.count()}`, stage.chance.between(1, 900))
  await pay(stage, `dear-${stage.count()}`, invoice, amount)
}

/**
 * The node receives the service's requests for payments only seconds after they were sent, and rightly reports that it
 * has no such payments until then.
 */
export const heardLate: Chapter = async (stage) => {
  stage.world.lateRequests.delay(2)
  const amount = sats(stage.chance.between(1, 900))
  const { invoice } = stage.world.sandbox.outside.createInvoice({ amount })
  await pay(stage, `late-${stage.count()}`, invoice, amount)
  await keysend(stage, `late-${stage.count()}`, stage.chance.between(1, 900))
}

/** An invoice of the provider is paid inside and from outside as nearly simultaneously as possible. */
export const paidTwice: Chapter = async (stage) => {
  const { network } = stage.world
  for (let times = 0; times < 6; times += 1) {
    const gamertag = `player${stage.chance.between(0, 5)}`
    const payable = await chargeFor(stage, `twice-${stage.count()}`, stage.chance.between(1, 900), gamertag)
    if (payable?.amount === undefined) continue
    const over = network.expect({
      what: 'POST /v0/payments',
      within: payable.code,
      async meanwhile() {
        void turns(stage.chance.between(0, 30)).then(() => payOutside(stage, payable))
      },
    })
    await pay(stage, `both-${stage.count()}`, payable.code, payable.amount, payable.credit)
    over()
  }
}

/** Somebody pays an invoice of the provider from inside when it is about to expire. */
export const lateInvoices: Chapter = async (stage) => {
  const { judge, timeline } = stage.world
  const [member] = members(stage, 1) as [string]
  if ((await linkSomewhere(stage, member)) === undefined) return
  const from = judge.now()
  const request = await askFor(stage, member, stage.chance.between(1, 500), 1)
  if (request === undefined) return
  // The node dates the invoice by its correct clock; the service judges it by its own, which may be slow.
  const made = Math.max(judge.providerClock.latest({ from, to: judge.now() }), timeline.now())
  const over = made + MINUTE_MS
  await wait(stage, MINUTE_MS + stage.chance.between(5, 40) * 1_000)
  const asked = judge.now()
  const { code, credit } = request.payable
  const paid = await pay(stage, `late-${stage.count()}`, code, BigInt(request.amount) * 1_000n, credit)
  const lateMs = judge.providerClock.earliest({ from: asked, to: judge.now() }) - over
  if (paid && lateMs > 0) throw new Bug(`an invoice was paid inside the service ${lateMs} ms after its time`)
}

/** A withdrawal code is claimed with an invoice of the provider itself, which is free. */
export const claimedInside: Chapter = async (stage) => {
  const { judge, model } = stage.world
  const amount = stage.chance.between(1, 500)
  const browser = await anyBrowser(stage)
  const payable = browser && (await receive(stage, browser, amount))
  if (browser === undefined || payable === undefined) return
  const code = await makeCode(stage, `inside-${stage.count()}`, sats(amount), 150)
  if (code === undefined) return
  const accepted = await claimWith(stage, code.request, payable.code)
  const fee = await code.over()
  if (fee === undefined) {
    if (accepted) throw new Bug('a code was claimed inside the service, and nobody has it')
    return
  }
  judge.paidInside.add(payable.code)
  model.pay(browser.user, BigInt(amount) * 1_000n)
  if (fee !== 0n) throw new Bug(`a code that was claimed inside the service cost ${fee} msats`)
}

/**
 * Claims a withdrawal code with an invoice. Resolves to whether the claim was accepted; a claim whose answer was lost
 * may have been accepted, too.
 */
async function claimWith(stage: Stage, request: string, invoice: string): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      await claimWithdrawal(stage.fetch, await askToWithdraw(stage.fetch, decodeLnurl(request)), invoice)
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      stage.note(`somebody cannot claim inside: ${error.message}`)
    }
    await wait(stage, 5_000)
  }
  return false
}

/** Charges for a gamertag's owner are paid immediately. */
export const chargesForOthers: Chapter = async (stage) => {
  for (let charges = 0; charges < 2; charges += 1) {
    const amount = stage.chance.between(1, 50) * 10
    const payable = await chargeFor(stage, `for-${stage.count()}`, amount, `player${stage.chance.between(0, 5)}`)
    if (payable !== undefined) await payOutside(stage, payable)
  }
}

/** A code that nobody scans stays open for the requested time. */
export const unusedCodes: Chapter = async (stage) => {
  const seconds = stage.chance.between(60, 200)
  const code = await makeCode(stage, `unused-${stage.count()}`, sats(stage.chance.between(1, 300)), seconds)
  await code?.over()
}
