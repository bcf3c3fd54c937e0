import type { AttachmentView, MessageView } from '../../../discord-emulator/views.ts'
import { html, type VNode } from '../html.ts'
import { Icon } from '../sides/icons.ts'
import { fileSize } from '../text/format.ts'
import { Picture } from './picture.ts'

/** Draws a message's separate files: pictures are shown, and other files can be downloaded. */
export function Attachments({ message }: { message: MessageView }): VNode | null {
  const loose = message.attachments.filter(({ loose }) => loose)
  if (loose.length === 0 || message.componentsV2) return null
  return html`<div class="attachments">
    ${loose.map((file) =>
      file.contentType.startsWith('image/')
        ? html`<${Picture} key=${file.id} url=${file.url} file=${file} placeId=${`${message.id} ${file.id}`} />`
        : html`<${FileCard} key=${file.id} file=${file} />`,
    )}
  </div>`
}

export function FileCard({ file }: { file: AttachmentView }): VNode {
  return html`<a class="file-card" href=${file.url} download=${file.filename}>
    <${Icon} name="file" size=${28} />
    <span><strong>${file.filename}</strong><small>${fileSize(file.size)}</small></span>
  </a>`
}
