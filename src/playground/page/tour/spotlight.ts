import { html, useEffect, useState, type VNode } from '../html.ts'

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const margin = 6
const edgeOfWindow = 2

/** Draws a ring around the step's target, which follows the target and blocks no click. */
export function Spotlight({ points }: { points: string }): VNode | null {
  const [box, setBox] = useState<Box | null>(null)
  useEffect(() => {
    const look = () => {
      const target = found(points)
      const next = target === undefined || !isInSight(target) ? null : around(target.getBoundingClientRect())
      setBox((before) => (same(before, next) ? before : next))
    }
    look()
    const timer = setInterval(look, 150)
    return () => clearInterval(timer)
  }, [points])
  if (box === null) return null
  const place = Object.fromEntries(Object.entries(box).map(([side, length]) => [side, `${length}px`]))
  return html`<div class="spotlight" style=${place} aria-hidden="true"></div>`
}

/** Whether a target is visible: its middle is not scrolled away, and nothing covers it. */
function isInSight(target: Element): boolean {
  const { left, top, width, height } = target.getBoundingClientRect()
  return target.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

/** Returns a box a little wider than its target, and never outside the window. */
function around(edge: DOMRect): Box {
  const left = Math.max(edgeOfWindow, edge.left - margin)
  const top = Math.max(edgeOfWindow, edge.top - margin)
  return {
    left,
    top,
    width: Math.min(innerWidth - edgeOfWindow, edge.right + margin) - left,
    height: Math.min(innerHeight - edgeOfWindow, edge.bottom + margin) - top,
  }
}

/** Finds the last element on the page that has this `data-tour` or matches this selector. */
function found(points: string): Element | undefined {
  const selector = /^[a-z-]+$/.test(points) ? `[data-tour="${points}"]` : points
  return [...document.querySelectorAll(selector)].at(-1)
}

function same(one: Box | null, other: Box | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
