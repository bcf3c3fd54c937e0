import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { Dots } from '../sides/dots.ts'
import { Icon } from '../sides/icons.ts'
import { api } from '../state/api.ts'
import { follow, interactionOn } from '../state/interactions.ts'
import { RichText } from '../text/rich-text.ts'
import { FileCard } from './attachments.ts'
import { type Component, emojiOf } from './component.ts'
import { Picture } from './picture.ts'
import { Select } from './select.ts'

interface Drawn {
  component: Component
  message: MessageView
}

/** Draws buttons and menus, and the newer components that make up a whole message. */
export function Components({ message }: { message: MessageView }): VNode | null {
  if (message.components.length === 0) return null
  return html`<div class="components">
    ${message.components.map((component, at) => html`<${One} key=${at} component=${component as unknown as Component} message=${message} />`)}
  </div>`
}

/** Draws a component. https://docs.discord.com/developers/components/reference */
function One({ component, message }: Drawn): VNode | null {
  const inside = (component.components ?? []).map(
    (each, at) => html`<${One} key=${at} component=${each} message=${message} />`,
  )
  switch (component.type) {
    case 1:
      return html`<div class="row">${inside}</div>`
    case 2:
      return html`<${Button} component=${component} message=${message} />`
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return html`<${MessageSelect} component=${component} message=${message} />`
    case 9:
      return html`<div class="section">
        <div>${inside}</div>
        ${component.accessory !== undefined && html`<${One} component=${component.accessory} message=${message} />`}
      </div>`
    case 10:
      return html`<${RichText} text=${component.content ?? ''} names=${message.names} />`
    case 11:
      return html`<${Media} url=${component.media?.url ?? ''} alt=${component.description} message=${message} largest=${96} />`
    case 12:
      return html`<div class="gallery">
        ${component.items?.map(
          ({ media, description }, at) =>
            html`<${Media} key=${at} url=${media.url} alt=${description} message=${message} largest=${360} />`,
        )}
      </div>`
    case 13: {
      const file = message.attachments.find(({ url }) => url === component.file?.url)
      return file === undefined ? null : html`<${FileCard} file=${file} />`
    }
    case 14:
      return html`<hr class=${`gap ${component.divider === false ? 'blank' : ''} ${component.spacing === 2 ? 'wide' : ''}`} />`
    case 17: {
      const color = component.accent_color
      const edge = color == null ? null : { '--edge': `#${color.toString(16).padStart(6, '0')}` }
      return html`<div class=${`embed container ${color == null ? 'no-edge' : ''}`} style=${edge}>${inside}</div>`
    }
    default:
      return null
  }
}

interface MediaProps {
  url: string
  alt: string | null | undefined
  message: MessageView
  largest: number
}

function Media({ url, alt, message, largest }: MediaProps): VNode {
  const file = message.attachments.find((each) => each.url === url)
  const placeId = `${message.id} ${url}`
  return html`<${Picture} url=${url} file=${file} alt=${alt ?? undefined} largest=${largest} placeId=${placeId} />`
}

const looks: Readonly<Record<number, string>> = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger', 5: 'link' }

function Button({ component, message }: Drawn): VNode {
  const look = looks[component.style ?? 2] ?? 'secondary'
  const words = html`${emojiOf(component)}${component.label !== undefined && html`<span>${component.label}</span>`}`
  if (component.style === 5) {
    return html`<a class="button link" href=${component.url} target="_blank" rel="noreferrer noopener">
      ${words}<${Icon} name="external" size=${16} />
    </a>`
  }
  const sent = interactionOn(message.id)
  const busy = sent?.view.name === component.custom_id && sent?.view.state === 'waiting'
  const press = () => {
    if (busy) return
    const sending = api.press(message.channelId, message.id, component.custom_id ?? '')
    void follow(sending, component.label ?? '', message.id)
  }
  return html`<button
    type="button"
    class=${`button ${look} ${busy ? 'busy' : ''}`}
    disabled=${component.disabled === true}
    aria-busy=${busy}
    onClick=${press}
  >
    ${words}${busy && html`<${Dots} />`}
  </button>`
}

function MessageSelect({ component, message }: Drawn): VNode {
  const sent = interactionOn(message.id)
  const busy = sent?.view.name === component.custom_id && sent?.view.state === 'waiting'
  const choose = (values: readonly string[]) => {
    const sending = api.choose(message.channelId, message.id, component.custom_id ?? '', values)
    void follow(sending, component.placeholder ?? '', message.id)
  }
  return html`<${Select} component=${component} busy=${busy} onChoose=${choose} />`
}
