import { words } from "./words.ts";

/** Words before what a food is eaten with. */
export const WITH = words("with topped containing including w alongside");
/** Words before another food. */
export const AND = words("and plus und then also");
/** Words before what a food is eaten on. */
export const ON = words("on over onto atop");
/** Words before what a food lies, swims or was cooked in. */
export const IN = words("in");
