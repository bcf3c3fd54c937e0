import {
  type APIComponentInContainer,
  type APIContainerComponent,
  type APIMessageTopLevelComponent,
  ComponentType,
} from 'discord.js'
import { cut } from '../../lib/cut.ts'

/**
 * A message in one frame with a coloured edge, which contains texts, pictures and lines in any order (Components V2). A
 * message cannot change to or from this kind, so either every state of a card uses a frame or none does.
 * https://docs.discord.com/developers/components/reference
 */
export interface Frame {
  readonly edge: number
  /** The parts of the frame, without empty texts. The message's menus and buttons follow below. */
  readonly parts: readonly FramePart[]
}

export type FramePart =
  | string
  | 'line'
  /** One of the message's pictures, by the picture's name. */
  | { readonly picture: string }
  /** A text beside somebody's picture; only the text if the picture is unknown. */
  | { readonly text: string; readonly face: string; readonly faceUrl?: string | undefined }

/**
 * Discord's limit for the length of all texts of a message together.
 * https://docs.discord.com/developers/components/reference#text-display
 */
const MAX_TEXT_LENGTH = 4_000
/** A thin line between two parts. */
export const LINE = 'line'

export function frame(edge: number, ...parts: readonly (FramePart | readonly FramePart[])[]): Frame {
  return { edge, parts: parts.flat().filter((part) => part !== '' && textOf(part) !== '') }
}

/** Formats a heading inside a frame. */
export function heading(text: string): string {
  return `### ${text}`
}

function textOf(part: FramePart): string | undefined {
  return typeof part === 'string' ? part : 'text' in part ? part.text : undefined
}

/** Returns a frame in which `change` has changed every text. */
export function withTexts({ edge, parts }: Frame, change: (text: string) => string): Frame {
  return {
    edge,
    parts: parts.map((part) => {
      if (typeof part === 'string') return part === LINE ? part : change(part)
      return 'text' in part ? { ...part, text: change(part.text) } : part
    }),
  }
}

/** Returns a frame with the addresses of people's pictures, as far as these addresses are known. */
export function withFaces({ edge, parts }: Frame, urlOf: (member: string) => string | undefined): Frame {
  return {
    edge,
    parts: parts.map((part) =>
      typeof part === 'object' && 'face' in part ? { ...part, faceUrl: urlOf(part.face) } : part,
    ),
  }
}

/** Returns all readable texts of a frame. */
export function textsIn({ parts }: Frame): string[] {
  return parts.map(textOf).filter((text): text is string => text !== undefined && text !== LINE)
}

/** Returns the people whose pictures a frame shows. */
export function facesIn({ parts }: Frame): string[] {
  return parts.flatMap((part) => (typeof part === 'object' && 'face' in part ? [part.face] : []))
}

/**
 * Returns a message's components: the text above the frame, and the frame with all rows of buttons and menus. Texts
 * that are too long for Discord are cut at the end.
 */
export function componentsOf(
  above: string,
  { edge, parts }: Frame,
  { rows, altOf }: { readonly rows: readonly APIComponentInContainer[]; readonly altOf: (picture: string) => string },
): APIMessageTopLevelComponent[] {
  let room = MAX_TEXT_LENGTH - above.length
  const fitted = (text: string) => {
    const fitting = cut(text, Math.max(0, room))
    room -= fitting.length
    return { type: ComponentType.TextDisplay as const, content: fitting }
  }
  const inside = parts.flatMap((part): APIComponentInContainer[] => {
    if (part === LINE) return [{ type: ComponentType.Separator, divider: true }]
    if (typeof part === 'string') return room > 0 ? [fitted(part)] : []
    if ('picture' in part) {
      const media = { url: `attachment://${part.picture}` }
      return [{ type: ComponentType.MediaGallery, items: [{ media, description: altOf(part.picture) }] }]
    }
    if (part.faceUrl === undefined) return [fitted(part.text)]
    const accessory = { type: ComponentType.Thumbnail as const, media: { url: part.faceUrl } }
    return [{ type: ComponentType.Section, components: [fitted(part.text)], accessory }]
  })
  const container: APIContainerComponent = {
    type: ComponentType.Container,
    accent_color: edge,
    components: [...inside, ...rows],
  }
  return above === '' ? [container] : [{ type: ComponentType.TextDisplay, content: above }, container]
}
