// Monte Carlo tree search by hand: the algorithm and the memory of ludus.search.mcts_grow and mcts_tree, on one
// thread, for wins, draws and losses. The same seed gives the same tree, word for word.
//
//   link    | first child, 32 bits | width, 16 | move + 1, 16 |
//   stats   | look at the bounds, 1 bit | visits, 27 | gains, 36 |
//   bounds  | 2^30 + least payoff, 32 bits | 2^30 - greatest, 32 |
//
// What C++ leaves out is what this game does not need: margins, evaluations, turns that do not alternate,
// other threads, and the clock between plies.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "random.hpp"
#include "ultimate.hpp"

namespace mcts {

using Word = std::uint64_t;
using Signed = std::int64_t;

constexpr Signed huge = Signed{1} << 30;
constexpr Signed unit = 256;
constexpr Word visit = Word{1} << 36;
constexpr Word look_at_bounds = Word{1} << 63;
constexpr int most_plies = 1024;
constexpr Word roots = 1 << 14;  // in front of the table: one over the root of so many visits
constexpr int steps = 64, bonuses = steps * 28;

struct Node {
    Word link, stats;

    Word first_child() const { return link >> 32; }
    unsigned width() const { return link >> 16 & 0xFFFF; }
    unsigned move() const { return (link & 0xFFFF) - 1; }
    Word visits() const { return (stats & ~look_at_bounds) >> 36; }
    Word gains() const { return stats & (visit - 1); }
    bool has_bounds() const { return stats & look_at_bounds; }
};

struct Bounds {
    Word word;

    Signed least() const { return Signed(word >> 32) - huge; }
    Signed greatest() const { return huge - Signed(word & 0xFFFFFFFF); }
    bool are_equal() const { return least() == greatest(); }
    static Bounds of(Signed low, Signed high) { return {Word(low + huge) << 32 | Word(huge - high)}; }
};

struct Step {
    Signed node;
    Signed turn;  // 2 * (gain that is sure + 1) + the seat
};

// As ludus.search.mcts_grow numbers them.
struct Report {
    Signed limit, done, playouts, proven, deepest, begin, next, end;
};

template <class Position>
struct Search {
    Node* nodes;
    Bounds* proofs;
    const double* table;
    Step* path;
    Word random;
    Signed free, end;
    int first_seat;

    double bonus(Word visits) const {
        const int doubling = std::max(int(std::bit_width(visits)) - 7, 0);
        return table[roots + steps * doubling + (visits >> doubling)];
    }

    double upper_confidence(const Node& child, double eagerness) const {
        const Word visits = child.visits();
        const double root = visits < roots ? table[visits] : 1 / std::sqrt(double(Signed(visits)));
        return (double(Signed(child.gains())) * root + eagerness) * root;
    }

    static Signed gain_of(Signed payoff) { return unit / 2 * (1 + payoff); }

    void expand(Signed node, const ultimate::Moves& legal, unsigned width) {
        random = scramble(random);
        Signed slot = free + random_below(random, width);
        for (auto rest = legal; !rest.empty();) {
            nodes[slot].link = rest.take_first() + Word{1};
            if (++slot == free + width) slot = free;
        }
        nodes[node].link |= Word(free) << 32 | Word(width) << 16;
        free += width;
    }

    // The child to look at next, and the gain that is sure and better, or -1.
    struct Choice { Signed child, sure; };
    Choice choose(Signed node, int seat) const {
        const Node& own = nodes[node];
        const Signed base = own.first_child(), past = base + own.width();
        const double eagerness = bonus(own.visits()), urgency = table[roots + bonuses];
        double best = -1, sure = -1;
        Signed chosen = -1, safe = base;
        for (Signed child = base; child < past; ++child) {
            const Node& other = nodes[child];
            double appeal;
            if (Signed(other.stats) > 0) {
                appeal = upper_confidence(other, eagerness);
            } else if (other.stats == 0) {
                if (urgency > 2 * unit) return {child, -1};
                appeal = urgency;
            } else {
                const Bounds known = proofs[child], mine = proofs[node];
                if (known.are_equal()) {
                    const double gain = seat == 0 ? gain_of(known.least()) : unit - gain_of(known.least());
                    if (gain > sure) sure = gain, safe = child;
                    continue;
                }
                if (other.visits() == 0)
                    appeal = urgency;
                else if (seat == 0 ? known.greatest() <= mine.least() : known.least() >= mine.greatest())
                    continue;
                else
                    appeal = upper_confidence(other, eagerness);
            }
            if (appeal > best) best = appeal, chosen = child;
        }
        if (chosen < 0) return {safe, -1};
        return {chosen, sure >= best ? Signed(seat == 0 ? sure : unit - sure) : -1};
    }

    bool is_settled(Signed node) const { return nodes[node].has_bounds() && proofs[node].are_equal(); }

    // Down to a node that is proven or new; the position there and its depth.
    struct Leaf { Position position; int depth; };
    Leaf descend(Position position) {
        Signed node = 0;
        int depth = 0;
        bool is_new = false;
        while (true) {
            if (nodes[node].width() == 0) {
                const bool is_first = depth > 0 && (nodes[node].stats & ~look_at_bounds) == 0;
                if (is_new || is_first || depth == most_plies - 1 || position.has_ended()) break;
                const auto legal = position.moves();
                const unsigned width = legal.size();
                if (free + width > end) break;
                expand(node, legal, width);
                is_new = true;
            }
            const int seat = (first_seat + depth) & 1;
            const auto [child, sure] = choose(node, seat);
            path[depth++] = {node, 2 * (sure + 1) + seat};
            node = child;
            position = position.play(nodes[node].move());
            if (is_settled(node)) break;
        }
        path[depth].node = node;
        return {position, depth};
    }

    // Carry new bounds up to where nothing changes; how many nodes they prove.
    int prove(int depth) {
        int proven = 0;
        for (int ply = depth - 1; ply >= 0; --ply) {
            Node& node = nodes[path[ply].node];
            Bounds& before = proofs[path[ply].node];
            const bool is_first = (path[ply].turn & 1) == 0;
            Signed low = is_first ? -huge : huge, high = low;
            const Bounds* past = proofs + node.first_child() + node.width();
            for (const Bounds* child = proofs + node.first_child(); child < past; ++child) {
                low = is_first ? std::max(low, child->least()) : std::min(low, child->least());
                high = is_first ? std::max(high, child->greatest()) : std::min(high, child->greatest());
            }
            low = std::max({low, Signed{-1}, before.least()});
            high = std::min({high, Signed{1}, before.greatest()});
            const Bounds after = Bounds::of(low, high);
            if (after.word != 0) node.stats |= look_at_bounds;
            if (after.word == before.word) break;
            before = after;
            proven += low == high;
        }
        return proven;
    }

    void back_up(int depth, Signed gain) {
        nodes[0].stats += visit;
        for (int ply = depth; ply > 0; --ply) {
            const Signed turn = path[ply - 1].turn;
            nodes[path[ply].node].stats += visit + ((turn & 1) == 0 ? gain : unit - gain);
            if (turn > 1) gain = (turn >> 1) - 1;
        }
    }

    // The first seat's payoff of a random game.
    Signed playout(Position position, int seat) {
        Signed payoff = seat == 0 ? -1 : 1;  // should the side that has just moved have won
        Word x = random;
        while (!position.has_ended()) {
            const auto legal = position.moves();
            x = scramble(x);
            position = position.play(legal.nth(random_below(x, legal.size())));
            payoff = -payoff;
        }
        random = x;
        return position.last_mover_won() ? payoff : 0;
    }

    void grow(const Position& root, Report& report) {
        while (report.done < report.limit && !proofs[0].are_equal()) {
            const auto [position, depth] = descend(root);
            const Signed leaf = path[depth].node;
            const bool was_proven = is_settled(leaf), has_ended = position.has_ended();
            const Signed payoff = was_proven ? proofs[leaf].least() : playout(position, (first_seat + depth) & 1);
            if (!was_proven) {
                ++report.playouts;
                if (has_ended) {
                    proofs[leaf] = Bounds::of(payoff, payoff);
                    nodes[leaf].stats |= look_at_bounds;
                    ++report.proven;
                }
            }
            back_up(depth, gain_of(payoff));
            if (was_proven || has_ended) report.proven += prove(depth);
            ++report.done;
            report.deepest = std::max<Signed>(report.deepest, depth);
        }
    }
};

// As ludus.search.mcts_grow.grow, for a root whose nine fields are given, without a clock.
template <class Position>
void grow(const Word* root, Node* nodes, Bounds* proofs, const double* table, Step* path, Report* report,
          Word* random) {
    Search<Position> search{nodes, proofs, table, path, random[0], report->next, report->end, int(root[8])};
    search.grow(Position::from(root), *report);
    random[0] = search.random;
    report->next = search.free;
}

}  // namespace mcts
