import { html, useEffect, type VNode } from '../html.ts'
import { Avatar } from '../sides/avatar.ts'
import { Icon } from '../sides/icons.ts'
import { type Gift, type OwnWallet, ownWallets, watchBooks } from '../state/books.ts'
import { say } from '../state/interactions.ts'
import { now, personById } from '../state/session.ts'
import { fullTime, satsWords, since } from '../text/format.ts'

/** Draws people's own wallets, and how much of each gift went through Satchel's book. */
export function OwnWallets(): VNode {
  const { wallets, gifts } = ownWallets.value
  useEffect(watchBooks, [])
  return html`<div class="own-wallets">
    <section aria-label="Own wallets">
      <h3>Wallets of their own</h3>
      <p class="hint">Satchel holds none of these sats. Use <kbd>/wallet</kbd> as one of these people, press <b>Connect my wallet</b>, and paste what
        you copy here.</p>
      <ul class="wallet-cards">
        ${wallets.map((wallet) => html`<${OneWallet} key=${wallet.person} wallet=${wallet} />`)}
      </ul>
    </section>
    <section aria-label="Newest tips">
      <h3>Newest tips</h3>
      ${
        gifts.length === 0
          ? html`<p class="drawer-empty small">No tip yet. Each one shows here how many sats moved in Satchel’s book.</p>`
          : html`<ul class="gifts">${gifts.map((gift) => html`<${OneGift} key=${gift.id} gift=${gift} />`)}</ul>`
      }
    </section>
  </div>`
}

/** Copies the connection of a person's wallet to the clipboard. */
export async function copyConnection(username: string): Promise<void> {
  const wallet = ownWallets.value.wallets.find(({ person }) => personById(person)?.username === username)
  if (wallet === undefined) return
  await navigator.clipboard.writeText(wallet.connection)
  say(`The connection of ${nameOf(wallet.person)}’s wallet is copied. Paste it on the page that /wallet opens.`)
}

function OneWallet({ wallet }: { wallet: OwnWallet }): VNode {
  const person = personById(wallet.person)
  return html`<li class="wallet-card">
    ${person !== undefined && html`<${Avatar} person=${person} size=${32} />`}
    <span class="wallet-words"><b>${nameOf(wallet.person)}’s wallet</b><span class="number">${satsWords(wallet.balance)}</span></span>
    <span class=${`wallet-state ${wallet.connected ? 'on' : ''}`}>
      ${wallet.connected && html`<${Icon} name="check" size=${15} />`}${wallet.connected ? 'connected' : 'not connected'}
    </span>
    <button type="button" class="button" onClick=${() => copyConnection(person?.username ?? '')}>
      <${Icon} name="copy" size=${15} />Copy connection
    </button>
  </li>`
}

function OneGift({ gift }: { gift: Gift }): VNode {
  const [from, to] = [gift.from === null ? 'The server' : nameOf(gift.from), nameOf(gift.to)]
  return html`<li class=${`gift ${gift.booked === '0' ? 'unbooked' : ''}`}>
    <span class="gift-who"><b>${from}</b><${Icon} name="right" size=${13} /><b>${to}</b><span class="number">${satsWords(gift.amount)}</span></span>
    <span class="gift-way">${wayOf(gift)} · <time title=${fullTime(gift.at)}>${since(gift.at, now.value)}</time></span>
    <span class="gift-booked">Satchel’s book: ${satsWords(gift.booked)} moved</span>
  </li>`
}

const ends: Readonly<Record<string, string>> = {
  promised: 'promised, not paid yet',
  revoked: 'promised, then taken back',
  lapsed: 'promised, and lapsed',
  asked: 'waiting for the wallet that pays',
  paying: 'waiting for the wallet that pays',
  unknown: 'the wallet has not said whether it paid',
  paid: 'paid from wallet to wallet',
  failed: 'the wallet did not pay',
  unconfirmed: 'not confirmed',
  credited: 'into a Discord balance',
  claimed: 'into a Discord balance',
  parked: 'not claimed yet',
  returned: 'not claimed, and returned',
}

function wayOf({ state, from }: Gift): string {
  return `${from === null ? 'from the server’s pool, ' : ''}${ends[state] ?? state}`
}

function nameOf(id: string): string {
  return personById(id)?.name ?? 'Somebody'
}
