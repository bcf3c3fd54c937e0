import type { AttachmentView } from '../../../discord-emulator/views.ts'
import { html, useEffect, useState, type VNode } from '../html.ts'
import { lightbox } from '../state/frame.ts'
import { noteCode } from '../state/phone.ts'
import { readQr } from './read-qr.ts'
import { ScanButton } from './scan-code.ts'

interface PictureProps {
  url: string
  /** The uploaded file. Its size is known, so the page reserves room for it until it has loaded. */
  file?: AttachmentView | undefined
  alt?: string | undefined
  largest?: number
  placeId: string
}

/** Draws a picture that a click opens at a large size. The phone can scan the picture if it shows a QR code. */
export function Picture({ url, file, alt, largest = 300, placeId }: PictureProps): VNode {
  const [code, setCode] = useState<string | null>(null)
  const words = alt ?? file?.description ?? ''
  const shown = shownSize(file, largest)
  useEffect(() => {
    let away = false
    void readQr(url).then((text) => {
      if (away || text === null) return
      setCode(text)
      noteCode(placeId, text)
    })
    return () => {
      away = true
      noteCode(placeId, null)
    }
  }, [url])
  const open = () => {
    lightbox.value = { url, alt: words }
  }
  return html`<figure class=${`picture ${code === null ? '' : 'is-qr'}`}>
    <button type="button" class="picture-open" aria-label=${`${words.replace(/[.。।]$/, '') || 'Picture'}. Open large`} onClick=${open}>
      <img src=${url} alt=${words} ...${shown} />
    </button>
    ${code !== null && html`<${ScanButton} code=${code} />`}
  </figure>`
}

function shownSize(file: AttachmentView | undefined, largest: number): { width?: number; height?: number } {
  if (file?.width == null || file.height == null) return {}
  const scale = Math.min(1, largest / Math.max(file.width, file.height))
  return { width: Math.round(file.width * scale), height: Math.round(file.height * scale) }
}
