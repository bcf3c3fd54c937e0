import { copyConnection } from '../drawer/own-wallets.ts'
import { html } from '../html.ts'
import { ownWallets } from '../state/books.ts'
import { drawer, drawerIsOpen, isNarrow } from '../state/frame.ts'
import { channel, holdsSats } from '../state/session.ts'
import { progress } from './progress.ts'
import { answers, type Chapter, isCalled, personCalled, type Step } from './step.ts'

const isConnected = (username: string) =>
  ownWallets.value.wallets.some(({ person, connected }) => connected && person === personCalled(username)?.id)

/** Returns Alice's gifts to a person since the tour began. */
const givenTo = (username: string) =>
  ownWallets.value.gifts.filter(
    ({ at, from, to }) =>
      from === personCalled('alice')?.id && to === personCalled(username)?.id && Date.parse(at) >= progress.value.since,
  )

/** Builds the part that is the same in the two steps in which Alice and Bob connect their wallets. */
function connecting(
  username: 'alice' | 'bob',
): Pick<Step, 'words' | 'points' | 'screen' | 'done' | 'as' | 'aid' | 'elsewhere'> {
  return {
    words: () =>
      html`Write <kbd>/wallet</kbd>. Press <b>Connect my wallet</b> and <b>Open the page</b>. Paste the connection there.`,
    as: username,
    elsewhere: true,
    points: () => (answers('wallet').length > 0 ? '.components .button' : 'composer'),
    screen: () => 'chat',
    done: () => isConnected(username),
    aid: { label: () => 'Copy connection', run: () => void copyConnection(username) },
  }
}

const steps: readonly Step[] = [
  {
    title: 'Bob and Alice have wallets',
    words: () =>
      html`Each has a Lightning wallet of their own. Start as Bob. ${isNarrow.value ? html`Press <b>Channels</b> and open` : 'Open the channel'}
        ${' '}<b>#tips</b>.`,
    as: 'bob',
    points: () => '[data-channel=tips]',
    screen: () => 'places',
    done: () => isCalled('bob') && channel.value?.name === 'tips',
  },
  { title: 'Connect Bob’s wallet', ...connecting('bob') },
  { title: 'Connect Alice’s, too', ...connecting('alice') },
  {
    title: 'Tip from wallet to wallet',
    words: () =>
      html`Write <kbd>/tip bob 500</kbd>. Alice’s wallet pays Bob’s wallet directly, and Satchel never holds the sats.`,
    as: 'alice',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => givenTo('bob').some(({ way, state }) => way === 'wallet' && state === 'paid'),
  },
  {
    title: 'See that nothing moved',
    words: () =>
      html`Open ${isNarrow.value ? html`<b>Books</b>, then` : ''} <b>Own wallets</b>${isNarrow.value ? '' : ' at the foot of the page'}. Both wallets
        changed. Satchel’s book: 0 sats moved.`,
    points: () => '#tab-wallets',
    screen: () => 'books',
    done: () => drawerIsOpen.value && drawer.value === 'wallets',
  },
  {
    title: 'Tip somebody without a wallet',
    words: () =>
      holdsSats.value
        ? html`Write <kbd>/tip carol 100</kbd>. Carol has no wallet, so a balance pays, or you pay a code.`
        : html`Write <kbd>/tip carol 100</kbd>. Carol has no wallet yet, so it is a promise. Nothing moves until she has one.`,
    as: 'alice',
    points: () => 'composer',
    screen: () => 'chat',
    done: () => givenTo('carol').length > 0,
  },
]

/** The tour with two people who have their own wallets, and a third person who has none. */
export const ownWalletsTour: Chapter = {
  title: 'Own wallets',
  steps,
  farewell: {
    title: 'Sats that Satchel never holds',
    words: () =>
      html`<b>Own wallets</b> ${isNarrow.value ? html`under <b>Books</b>` : 'at the foot of the page'} shows each tip beside what Satchel’s book moved for it.`,
  },
}
