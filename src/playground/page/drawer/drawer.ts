import { html, type VNode } from '../html.ts'
import { Icon, type IconName } from '../sides/icons.ts'
import { books, changes, loadBooks, loadWire, proven, waiting } from '../state/books.ts'
import { type DrawerTab, drawer, drawerIsOpen, isNarrow } from '../state/frame.ts'
import { connection, holdsSats, parts } from '../state/session.ts'
import { Books } from './books.ts'
import { OwnWallets } from './own-wallets.ts'
import { Waiting } from './waiting.ts'
import { WireView } from './wire.ts'

const tabs: readonly (readonly [DrawerTab, string, IconName])[] = [
  ['books', 'Books', 'book'],
  ['wire', 'Wire', 'wire'],
  ['waiting', 'Waiting', 'hourglass'],
  ['wallets', 'Own wallets', 'phone'],
]

/**
 * Draws the backstage: both sets of books, every exchange between bot and service, open work, and people's own wallets.
 */
export function Drawer(): VNode {
  const open = drawerIsOpen.value
  const shown = drawer.value ?? 'books'
  const counts: Partial<Record<DrawerTab, number>> = { wire: changes.value.length, waiting: waiting.value.length }
  function press(tab: DrawerTab): void {
    drawer.value = drawer.value === tab && !isNarrow.value ? null : tab
    void loadBooks()
    void loadWire()
  }
  return html`<section class=${`drawer ${open ? 'open' : ''}`} aria-label="Behind the scenes" data-tour="drawer">
    <div class="drawer-bar">
      <div class="drawer-tabs" role="tablist" aria-label="Behind the scenes">
        ${tabs.map(([tab, label, icon]) => {
          const chosen = open && shown === tab
          return html`<button
            key=${tab}
            type="button"
            role="tab"
            id=${`tab-${tab}`}
            aria-selected=${chosen}
            aria-controls=${chosen ? 'drawer-panel' : null}
            onClick=${() => press(tab)}
          >
            <${Icon} name=${icon} size=${17} />${label}<${Count} of=${counts[tab]} />
          </button>`
        })}
      </div>
      <div class=${`drawer-facts ${connection.value === 'lost' ? 'of-before' : ''}`}>
        <${Light} on=${parts.value.bot && parts.value.botOnline} label="Bot" />
        ${holdsSats.value && html`<${Light} on=${parts.value.service} label="Service" />`}
        <${Proof} />
      </div>
      ${
        !isNarrow.value &&
        html`<button
          type="button"
          class="round small"
          aria-label=${open ? 'Close the drawer' : 'Open the drawer'}
          onClick=${() => press(open ? shown : 'books')}
        >
          <${Icon} name=${open ? 'down' : 'up'} size=${18} />
        </button>`
      }
    </div>
    ${
      open &&
      html`<div class="drawer-panel" id="drawer-panel" role="tabpanel" aria-labelledby=${`tab-${shown}`} tabindex="0">
        ${shown === 'books' && html`<${Books} />`} ${shown === 'wire' && html`<${WireView} />`}
        ${shown === 'waiting' && html`<${Waiting} />`} ${shown === 'wallets' && html`<${OwnWallets} />`}
      </div>`
    }
  </section>`
}

function Count({ of: count }: { of: number | undefined }): VNode | null {
  return count === undefined ? null : html`<span class="tab-count">${count}</span>`
}

function Light({ on, label }: { on: boolean; label: string }): VNode {
  return html`<span class=${`light ${on ? 'on' : 'off'}`}><i aria-hidden="true"></i>${label} ${on ? 'up' : 'down'}</span>`
}

/** Draws whether both books balanced at the last check. */
function Proof(): VNode {
  if (books.value.length === 0) {
    // The place stays reserved until the books are open.
    return html`<span class="proof holds" style=${{ visibility: 'hidden' }}><${Icon} name="check" size=${15} />Books balanced</span>`
  }
  return proven.value
    ? html`<span class="proof holds"><${Icon} name="check" size=${15} />Books balanced</span>`
    : html`<span class="proof broken" role="alert"><${Icon} name="warning" size=${15} />Books do not balance</span>`
}
