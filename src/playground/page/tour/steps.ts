import type { VNode } from '../html.ts'
import { html } from '../html.ts'
import { openWallet } from '../overlays/person-items.ts'
import { conversations } from '../state/conversations.ts'
import { drawerIsOpen, isNarrow, type narrowScreen } from '../state/frame.ts'
import { sheet } from '../state/phone.ts'
import { channel, me, people, server } from '../state/session.ts'
import { progress } from './progress.ts'

export interface Step {
  readonly title: string
  readonly words: () => VNode
  /** What is pointed at: the value of its `data-tour`, or a selector. */
  readonly points: () => string
  /** Where that is to be found, when one thing is shown at a time. */
  readonly screen: () => typeof narrowScreen.value
  /** Whether the person has done it. */
  readonly done: () => boolean
  /** Something else to look at, where there is room for it. */
  readonly look?: { readonly label: () => string; readonly run: () => void }
}

const amAlice = () => me.value?.username === 'alice'
const here = () => {
  const messages = conversations.value.get(channel.value?.id ?? '')?.messages ?? []
  return messages.filter(({ createdAt }) => Date.parse(createdAt) >= progress.value.since)
}
const mine = () => me.value?.id
const answers = (command: string) =>
  here().filter(
    (message) => message.usedBy?.command === command && message.usedBy.personId === mine() && !message.loading,
  )
const isDrop = (command: string | undefined) => command === 'drop' || command === 'voucher drop'
/** The private word about a share that was taken: it answers the card of the drop. */
const shares = () => {
  const drops = new Set(here().flatMap(({ id, usedBy }) => (isDrop(usedBy?.command) ? [id] : [])))
  return here().filter(
    ({ replyTo, visibleTo, loading }) => replyTo !== null && drops.has(replyTo) && visibleTo === mine() && !loading,
  )
}
const person = (username: string) => people.value.find((each) => each.username === username)
const bob = () => person('bob')?.name ?? 'Bob'
/** Opens Bob's wallet page in a tab of its own. */
export function openBobsWallet(): void {
  const id = person('bob')?.id
  if (id !== undefined) openWallet(id)
}
const serverName = () => server.value?.name ?? 'this server'

/** From an empty purse to a share of a drop that has reached the other's own wallet. */
export const steps: readonly Step[] = [
  {
    title: 'You are Alice',
    words: () =>
      html`This is ${serverName()}, a Discord that lives on your machine. ${isNarrow.value ? html`Press <b>Channels</b> and open` : 'Open the channel'}
        ${' '}<b>#tips</b> to begin.`,
    points: () => '[data-channel=tips]',
    screen: () => 'places',
    done: () => amAlice() && channel.value?.name === 'tips',
  },
  {
    title: 'Add funds',
    words: () =>
      isNarrow.value
        ? html`Write <kbd>/deposit 10000</kbd> and press the arrow. Only you can see the QR code that comes.`
        : html`Write <kbd>/deposit</kbd>, a space, <kbd>10000</kbd>, and press Enter. Satchel answers with a QR code that only
            you can see.`,
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('deposit').length > 0,
  },
  {
    title: 'Scan and pay',
    words: () =>
      html`The ${isNarrow.value ? 'wallet' : 'phone on the side is a wallet that'} knows nothing of Discord. Press${' '}
        <b>Scan with the phone</b>, look at the amount, pay.`,
    points: () => (sheet.value === null ? 'scan' : 'pay'),
    screen: () => (sheet.value === null ? 'chat' : 'phone'),
    done: () => sheet.value?.step === 'done',
  },
  {
    title: 'Tip somebody',
    words: () =>
      html`Type <kbd>/tip ${bob().toLowerCase()} 500</kbd>, and ${isNarrow.value ? 'press the arrow' : 'press Enter'}. Everybody sees a tip.`,
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('tip').length > 0,
  },
  {
    title: 'Drop some for everybody',
    words: () =>
      html`<kbd>/drop</kbd>, an amount of <kbd>300</kbd>, and <kbd>3</kbd> shares: the first three who press the button get one.`,
    points: () => 'composer',
    screen: () => 'chat',
    done: () => answers('drop').length + answers('voucher drop').length > 0,
  },
  {
    title: 'Be somebody else',
    words: () =>
      isNarrow.value
        ? html`Press <b>Channels</b>, then <b>You are</b>, and become <b>${bob()}</b>. He cannot see your deposit.`
        : html`Press <b>You are</b>, and become <b>${bob()}</b>. He sees what he would see, and cannot see your deposit.`,
    points: () => 'you-are',
    screen: () => 'places',
    done: () => me.value?.username === 'bob',
  },
  {
    title: 'Send it to your own wallet',
    words: () =>
      html`${!isNarrow.value && `${bob()} has a wallet. `}Write <kbd>/link bob</kbd>. Then press <b>Take a share</b>: it
        goes to his own wallet.`,
    points: () => (answers('link').length > 0 ? '.components .button.primary' : 'composer'),
    screen: () => 'chat',
    done: () => shares().length > 0,
  },
  {
    title: 'See that it adds up',
    words: () => html`Open <b>Books</b> at the foot of the page. Every sat is accounted for, live, in both ledgers.`,
    points: () => '#tab-books',
    screen: () => 'books',
    done: () => drawerIsOpen.value,
    look: { label: () => `Open ${bob()}’s wallet`, run: openBobsWallet },
  },
]
