import type { MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { now } from '../state/session.ts'
import { messageTime } from '../text/format.ts'
import { RichLine, RichText } from '../text/rich-text.ts'
import { Picture } from './picture.ts'

/** An embed in Discord's own shape. https://docs.discord.com/developers/resources/message#embed-object */
interface EmbedObject {
  readonly title?: string
  readonly description?: string
  readonly url?: string
  readonly timestamp?: string
  readonly color?: number
  readonly footer?: { readonly text: string; readonly icon_url?: string }
  readonly image?: { readonly url: string }
  readonly thumbnail?: { readonly url: string }
  readonly author?: { readonly name: string; readonly url?: string; readonly icon_url?: string }
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
}

export function Embed({ embed, message }: { embed: EmbedObject; message: MessageView }): VNode {
  const { names } = message
  const color = embed.color === undefined ? null : { '--edge': `#${embed.color.toString(16).padStart(6, '0')}` }
  const fileAt = (url: string) => message.attachments.find((file) => file.url === url)
  const picture = (url: string, largest: number) =>
    html`<${Picture} url=${url} file=${fileAt(url)} largest=${largest} placeId=${`${message.id} ${url}`} />`
  const title = embed.title !== undefined && html`<${RichLine} text=${embed.title} names=${names} />`
  return html`<article class="embed" style=${color}>
    <div class="embed-text">
      ${embed.author !== undefined && html`<div class="embed-author">${icon(embed.author.icon_url)}${embed.author.name}</div>`}
      ${
        title !== false &&
        html`<h4 class="embed-title">
          ${embed.url === undefined ? title : html`<a href=${embed.url} target="_blank" rel="noreferrer noopener">${title}</a>`}
        </h4>`
      }
      ${embed.description !== undefined && html`<${RichText} text=${embed.description} names=${names} />`}
      ${(embed.fields?.length ?? 0) > 0 && html`<${Fields} fields=${embed.fields ?? []} names=${names} />`}
    </div>
    ${embed.thumbnail !== undefined && html`<div class="embed-thumbnail">${picture(embed.thumbnail.url, 80)}</div>`}
    ${embed.image !== undefined && html`<div class="embed-image">${picture(embed.image.url, 320)}</div>`}
    ${
      (embed.footer !== undefined || embed.timestamp !== undefined) &&
      html`<footer class="embed-footer">
        ${icon(embed.footer?.icon_url)}
        ${[embed.footer?.text, embed.timestamp && messageTime(embed.timestamp, now.value)].filter(Boolean).join(' · ')}
      </footer>`
    }
  </article>`
}

/** Draws an embed's fields. Up to three inline fields share a row; every other field has a row of its own. */
function Fields({ fields, names }: { fields: NonNullable<EmbedObject['fields']>; names: MessageView['names'] }): VNode {
  const spans: string[] = []
  for (let at = 0; at < fields.length; ) {
    let run = 0
    while (run < 3 && fields[at + run]?.inline === true) run += 1
    spans.push(...Array.from({ length: Math.max(run, 1) }, () => (run === 3 ? 'third' : run === 2 ? 'half' : 'whole')))
    at += Math.max(run, 1)
  }
  return html`<dl class="embed-fields">
    ${fields.map(
      (field, at) => html`<div class=${spans[at]} key=${at}>
        <dt><${RichLine} text=${field.name} names=${names} /></dt>
        <dd><${RichText} text=${field.value} names=${names} /></dd>
      </div>`,
    )}
  </dl>`
}

function icon(url: string | undefined): VNode | false {
  return url !== undefined && html`<img src=${url} alt="" width="20" height="20" />`
}
