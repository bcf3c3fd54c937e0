export { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
export { html, render } from 'htm/preact'
export type { ComponentChildren, VNode } from 'preact'
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
