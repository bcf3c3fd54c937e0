import { everyComponent } from '../../discord-emulator/rules/components.ts'
import type { MessageView } from '../../discord-emulator/views.ts'
import type { Flow } from './flow.ts'
import type { Stage } from './stage.ts'

/** Plays a tip between the outside wallets of alice and bob, which appears in neither book. */
export const fromWalletToWallet: Flow = {
  title: 'Alice and bob connect wallets of their own, and a tip moves nothing in the books',
  async play(stage) {
    await connectOwnWallet(stage, 'alice')
    await connectOwnWallet(stage, 'bob')
    const [alice, bob] = [ownWalletHolds(stage, 'alice'), ownWalletHolds(stage, 'bob')]
    const before = await newestEntries(stage)
    await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '500', note: 'no book needed' })
    await stage.sees('carol', /paid from wallet to wallet/)
    stage.mustBe("alice's own wallet paid", alice - ownWalletHolds(stage, 'alice'), 500)
    stage.mustBe("bob's own wallet received", ownWalletHolds(stage, 'bob') - bob, 500)
    stage.mustBe('the newest entry of each book', await newestEntries(stage), before)
  },
}

/** Returns the balance of a person's own wallet, in sats. */
export function ownWalletHolds(stage: Stage, who: string): number {
  return Number(ownWallet(stage, who).balance) / 1_000
}

/**
 * Connects a person's own wallet as the person would: with the command, the button and the page's form. Resolves to the
 * HTML of the page that follows.
 */
export async function connectOwnWallet(stage: Stage, who: string): Promise<string> {
  const [card] = await stage.command(who, 'wallet')
  if (card === undefined) throw new Error('the bot has shown no wallet card')
  const [invitation] = await stage.press(who, card, 'Connect my wallet')
  const { origin, pathname, hash } = linkOf(invitation, 'Open the page')
  const { connection } = ownWallet(stage, who)
  stage.teller.line(`${who} pastes the connection ${connection.slice(0, 30)}… on the page`)
  const body = new URLSearchParams({ key: hash.slice(1), connection })
  return await (await fetch(origin + pathname, { method: 'POST', body })).text()
}

function ownWallet(stage: Stage, who: string) {
  const found = stage.world.memberWallets.list().find(({ name }) => name === who)
  if (found === undefined) throw new Error(`${who} has no wallet of their own`)
  return found
}

function linkOf(message: MessageView | undefined, label: string): URL {
  const buttons = [...everyComponent(message?.components ?? [])] as unknown as { label: string; url?: string }[]
  return new URL(buttons.find((each) => each.label === label)?.url ?? '')
}

/** Resolves to a text with the id of each book's newest entry. */
async function newestEntries({ world }: Stage): Promise<string> {
  await world.settled()
  return (await world.books()).map(({ side, entries }) => `${side} ${entries[0]?.id}`).join(', ')
}
