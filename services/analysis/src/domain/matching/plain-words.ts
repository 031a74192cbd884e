import { stem } from "../text/stem.ts";

const stems = (text: string) => text.split(" ").map(stem);

/** Forms that are meant when nothing is said: raw, cooked, not further specified. */
export const PLAIN_WORDS = stems("raw nfs ns cooked fresh");

/** What a plain food is not: it lowers a name that nobody asked it of. */
export const UNWANTED_WORDS = stems(
  "babyfood baby toddler infant dry mix powder powdered flour leaves canned dried dehydrated freeze " +
    "juice restaurant sodium imitation substitute unprepared concentrate concentrated meatless " +
    "pickled candied seed seeds skin bran sprouted diet sweetened reduced light lowfat fat free " +
    "topping flavored stuffed breaded coated creamed dressing chips salad soup pie cake sandwich " +
    "sauce fried glutinous spinach",
);
