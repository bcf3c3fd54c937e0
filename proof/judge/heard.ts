/** An event, as a reader received it or as the books have it. */
export interface HeardEvent {
  readonly id: string
  /** The whole event as one text. */
  readonly content: string
}

/** The events that a program received from a stream, across broken connections. */
export interface Sitting {
  /** The last event that the program had stored; undefined if there was none. */
  readonly after: string | undefined
  readonly heard: readonly HeardEvent[]
}

/** Events that a stream's program or a webhook must receive, in order. */
class Due {
  readonly #events: readonly HeardEvent[]
  readonly #places: ReadonlyMap<string, number>

  constructor(events: readonly HeardEvent[]) {
    this.#events = events
    this.#places = new Map(events.map(({ id }, place) => [id, place]))
  }

  placeOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.#places.get(id)
  }

  /** Explains why an event does not belong at this place; undefined if it does. */
  strays({ id, content }: HeardEvent, next: number): string | undefined {
    const place = this.#places.get(id)
    if (place === undefined) return `told ${id}, which is no event`
    if (place > next) return `left out ${this.rest(next, place)} before ${id}`
    if (place < next) return `told ${id} again, or too late`
    const right = this.#events[place]?.content
    return content === right ? undefined : `told ${id} as ${content}, which is ${right}`
  }

  /** Describes the events from one place to another in a few words; undefined if there are none. */
  rest(from: number, to: number): string | undefined {
    const ids = this.#events.slice(from, to).map(({ id }) => id)
    if (ids.length === 0) return undefined
    const more = ids.length > FEW ? ` and ${ids.length - FEW} more` : ''
    return `${ids.slice(0, FEW).join(', ')}${more}`
  }
}

const FEW = 5

/**
 * Checks that each sitting has the events after its stored event, in order, once, and with the books' contents. A
 * sitting without a stored event begins where it joined. No event may be missing after the last sitting.
 */
export function judgeStream(name: string, sittings: readonly Sitting[], events: readonly HeardEvent[]): string[] {
  const due = new Due(events)
  let next: number | undefined
  for (const { after, heard } of sittings) {
    const first = after === undefined ? due.placeOf(heard[0]?.id) : (due.placeOf(after) ?? -1) + 1
    next = first ?? next
    for (const event of heard) {
      const fault = due.strays(event, next ?? 0)
      if (fault !== undefined) return [`the stream of ${name} ${fault}`]
      next = (next ?? 0) + 1
    }
  }
  if (next === undefined) return events.length === 0 ? [] : [`the stream of ${name} told nothing`]
  const left = due.rest(next, events.length)
  return left === undefined ? [] : [`the stream of ${name} never told ${left}`]
}

/**
 * Checks that a webhook is sent each event in order, at least once: each delivery is the previous event again, or the
 * next one. The first `end` events must have arrived; without `end`, all.
 */
export function judgeDeliveries(
  name: string,
  deliveries: readonly HeardEvent[],
  events: readonly HeardEvent[],
  end = events.length,
): string[] {
  const due = new Due(events)
  let next = 0
  for (const event of deliveries) {
    const isAgain = next > 0 && due.placeOf(event.id) === next - 1
    const fault = due.strays(event, isAgain ? next - 1 : next)
    if (fault !== undefined) return [`the webhook ${name} ${fault}`]
    if (!isAgain) next += 1
  }
  const left = due.rest(next, end)
  return left === undefined ? [] : [`the webhook ${name} was never sent ${left}`]
}
