import type { McpUiHostContext } from "@modelcontextprotocol/ext-apps";

import { useLocale } from "./formats.ts";
import type { Host } from "./host.ts";

const SIDES = ["top", "right", "bottom", "left"] as const;

/** Adopts the host's theme, colors, safe areas and locale, but no fonts, because a card makes no requests. */
export function adapt({ theme, styles, safeAreaInsets, locale }: McpUiHostContext): void {
  const { style } = document.documentElement;
  if (theme !== undefined) style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && typeof value === "string") style.setProperty(name, value);
  }
  for (const side of SIDES) {
    const inset = safeAreaInsets?.[side];
    if (typeof inset === "number") style.setProperty(`--safe-${side}`, `${inset}px`);
  }
  useLocale(locale);
}

/** Reports the card's height to the host, now and after every change. */
export function reportHeight(host: Host): void {
  let reported = 0;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === reported) return;
    reported = height;
    host.notify("ui/notifications/size-changed", { height });
  };
  new ResizeObserver(report).observe(document.body);
}
