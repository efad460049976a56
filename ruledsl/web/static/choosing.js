// What has been taken hold of so far, and which options are left by it. It knows nothing of the page.

// The ways to point at an option: at all that it is about, or at a man and where it would go.
export function waysOf(option) {
  return option.ways?.length ? [option.places, ...option.ways] : [option.places];
}

export class Choosing {
  constructor(options = []) {
    this.options = options;
    this.picked = [];
  }

  // Of the ways to an option those that all that was picked is part of.
  open(option, picked = this.picked) {
    return waysOf(option).filter((way) => picked.every((id) => way.includes(id)));
  }

  // The options that are about all that was picked.
  left(picked = this.picked) {
    return this.options.filter((option) => this.open(option, picked).length);
  }

  // What may be picked next: of each option left the first that is not picked yet.
  next() {
    const found = new Set();
    for (const option of this.left()) {
      for (const way of this.open(option)) {
        const id = way.find((place) => !this.picked.includes(place));
        if (id !== undefined) found.add(id);
      }
    }
    return found;
  }

  // Whether all of some way to an option is picked.
  meant(option, picked = this.picked) {
    return this.open(option, picked).some((way) => way.length <= picked.length);
  }

  // Picks something, or lets it go. Gives the option that is meant, once nothing else can be.
  pick(id) {
    if (this.picked.includes(id)) {
      this.picked = this.picked.slice(0, this.picked.indexOf(id));
      return null;
    }
    if (this.left([...this.picked, id]).length) this.picked = [...this.picked, id];
    else if (this.left([id]).length) this.picked = [id];
    else return undefined;
    const left = this.left();
    return left.length === 1 && this.meant(left[0]) ? left[0] : null;
  }

  clear() {
    this.picked = [];
  }
}

// Options that differ in a number alone, as one row: `raise to 20` … `raise to 400`.
export function ranges(options, least = 8) {
  const groups = new Map();
  for (const option of options) {
    const parts = /^(.*?)(\d+)(\D*)$/.exec(option.text);
    const key = parts && !option.places.length ? `${parts[1]}\u0000${parts[3]}` : option.key;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ option, number: parts ? Number(parts[2]) : 0, head: parts?.[1], tail: parts?.[3] });
  }
  const rows = [];
  for (const found of groups.values()) {
    const numbers = new Set(found.map((one) => one.number));
    if (found.length >= least && numbers.size === found.length) {
      rows.push({ range: found.sort((a, b) => a.number - b.number) });
    } else rows.push(...found.map((one) => ({ option: one.option })));
  }
  return rows;
}
