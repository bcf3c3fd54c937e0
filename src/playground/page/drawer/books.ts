import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { type Book, books, booksProblem, type Entry } from '../state/books.ts'
import { clockTime, satsOf } from '../text/format.ts'
import { Legend, wordsOfAccount, wordsOfStep } from './legend.ts'

const titles: Readonly<Record<Book['side'], string>> = { bot: 'The bot’s books', service: 'The service’s books' }

/** Draws both sets of books side by side: who has what, and the newest entries. */
export function Books(): VNode {
  if (books.value.length === 0) {
    return html`<p class="drawer-empty">${booksProblem.value ?? 'Opening the books…'}</p>`
  }
  return html`<div class="books">
    ${books.value.map((book) => html`<${OneBook} key=${book.side} book=${book} />`)}
  </div>`
}

function OneBook({ book }: { book: Book }): VNode {
  return html`<section class="book" aria-label=${titles[book.side]}>
    <header>
      <h3>${titles[book.side]}</h3>
      ${
        book.holds
          ? html`<span class="proof holds"><${Icon} name="check" size=${15} />balanced</span>`
          : html`<span class="proof broken"><${Icon} name="warning" size=${15} />${book.faults[0] ?? 'not balanced'}</span>`
      }
    </header>
    <${Legend} side=${book.side} />
    <div class="book-columns">
      <table>
        <caption class="eyebrow">Accounts</caption>
        <thead class="visually-hidden"><tr><th>Account</th><th>Owner</th><th>Sats</th></tr></thead>
        <tbody>
          ${book.accounts.map(
            (
              account,
            ) => html`<tr key=${`${account.kind} ${account.owner}`} class=${`kind-${account.kind.replaceAll('_', '-')}`}>
              <th scope="row"><span class="kind" title=${wordsOfAccount(book.side, account.kind)}>${account.kind.replaceAll('_', ' ')}</span></th>
              <td class="owner" title=${account.owner}>${account.name === account.kind ? '' : account.name}</td>
              <td class="number">${satsOf(account.balance)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
      <div class="entries">
        <h4 class="eyebrow">Newest entries</h4>
        ${book.entries.length === 0 && html`<p class="drawer-empty small">No entry yet. Money that moves is written here.</p>`}
        <ol>
          ${book.entries.map((entry) => html`<${OneEntry} key=${entry.id} entry=${entry} />`)}
        </ol>
      </div>
    </div>
  </section>`
}

function OneEntry({ entry }: { entry: Entry }): VNode {
  return html`<li class="journal-entry" title=${`Operation ${entry.operation}`}>
    <div><time>${clockTime(entry.at)}</time><b>${entry.what}</b><span class=${`step step-${entry.step}`} title=${wordsOfStep(entry.step)}>${entry.step.replace(':', ' ')}</span></div>
    ${entry.moves.map(
      (move) => html`<p>
        <span>${once(move.from)}</span><${Icon} name="right" size=${13} /><span>${once(move.to)}</span><b class="number">${satsOf(move.amount)}</b>
      </p>`,
    )}
  </li>`
}

/** Returns an account's name for people. An account that is the only one of its kind bears the name of the kind. */
function once(account: string): string {
  return account.replace(/^(.+) \1$/, '$1').replaceAll('_', ' ')
}
