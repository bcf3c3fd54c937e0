import { html } from '../html.ts'
import { openWallet } from '../overlays/person-items.ts'
import { drawerIsOpen, isNarrow } from '../state/frame.ts'
import { sheet } from '../state/phone.ts'
import { channel } from '../state/session.ts'
import { answers, type Chapter, isCalled, nameOf, personCalled, type Step, serverName, sharesTaken } from './step.ts'

const bob = () => nameOf('bob')
/** Opens Bob's wallet page in its own tab. */
function openBobsWallet(): void {
  const id = personCalled('bob')?.id
  if (id !== undefined) openWallet(id)
}

const steps: readonly Step[] = [
  {
    title: 'You are Alice',
    words: () =>
      html`This is ${serverName()}, a Discord that lives on your machine. ${isNarrow.value ? html`Press <b>Channels</b> and open` : 'Open the channel'}
        ${' '}<b>#tips</b> to begin.`,
    as: 'alice',
    points: () => '[data-channel=tips]',
    screen: () => 'places',
    done: () => isCalled('alice') && channel.value?.name === 'tips',
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
    words: () => html`Write <kbd>/drop 300 3</kbd>: the first three who press the button get <kbd>100</kbd> each.`,
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
    done: () => isCalled('bob'),
  },
  {
    title: 'Send it to your own wallet',
    words: () =>
      html`${!isNarrow.value && `${bob()} has a wallet. `}Write <kbd>/link bob</kbd>. Then press <b>Take a share</b>: it
        goes to his own wallet.`,
    points: () => (answers('link').length > 0 ? '.components .button.primary' : 'composer'),
    screen: () => 'chat',
    done: () => sharesTaken().length > 0,
  },
  {
    title: 'See that it adds up',
    words: () => html`Open <b>Books</b> at the foot of the page. Every sat is accounted for, live, in both ledgers.`,
    points: () => '#tab-books',
    screen: () => 'books',
    done: () => drawerIsOpen.value,
    aid: { label: () => `Open ${bob()}’s wallet`, run: openBobsWallet, aside: true },
  },
]

/** The tour from an empty balance to a share of a drop that arrives in another person's own wallet. */
export const firstSats: Chapter = {
  title: 'First sats',
  steps,
  farewell: {
    title: 'That was Lightning',
    words: () =>
      html`Now break it: ${isNarrow.value ? html`in the <b>Wallet</b>, <b>Misbehave</b>` : html`<b>Misbehave</b> on the phone`} lets payments hang and
        programs die, and the books hold all the same. Or take another tour.`,
    aid: { label: () => `Open ${bob()}’s wallet`, run: openBobsWallet },
  },
}
