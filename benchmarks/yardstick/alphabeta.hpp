// Alpha-beta with a transposition table by hand: the algorithm of ludus.search.alphabeta and table, on one thread,
// for wins, draws and losses. The same position and depth visit the same nodes.
//
// What C++ leaves out is what this game does not need: margins of payoffs, turns that do not alternate, banned
// moves, the clock. Scores are the mover's, in thousandths.
#pragma once

#include <algorithm>
#include <cstdint>

#include "evaluation.hpp"
#include "ultimate.hpp"

namespace alphabeta {

using Position = ultimate::BlockSets;
using ultimate::Word;
using Score = std::int64_t;

constexpr Score infinity = Score{1} << 36, scale = 1000;
constexpr int most_plies = 512, moves_in_all = 81, no_move = 1023, to_the_end = 255;
constexpr int early = 2, sorted_depth = 2, static_depth = 3, singular_depth = 6, singular_part = 37;
enum Bound : unsigned { nothing, exact, at_least, at_most };

//   data  bit 0        38      48     56    58         64
//         | score + 2^37 | move | depth | bound | age |
struct Data {
    Word word;

    static Data of(Score score, unsigned move, unsigned depth, Bound bound, unsigned age) {
        return {Word(score + bias) | Word{move} << 38 | Word{depth} << 48 | Word{bound} << 56 | Word{age & 63} << 58};
    }
    Score score() const { return Score(word & ((Word{1} << 38) - 1)) - bias; }
    int move() const { return word >> 38 & 1023; }
    int depth() const { return word >> 48 & 255; }
    Bound bound() const { return Bound(word >> 56 & 3); }
    unsigned age() const { return word >> 58; }

private:
    static constexpr Score bias = Score{1} << 37;
};

struct Entry {
    Word check;  // the key XOR the data
    Data data;

    bool fits(Word key) const { return (check ^ data.word) == key; }
};

struct Bucket {
    Entry deepest, latest;
};

struct Table {
    Bucket* buckets;
    Word mask;

    Data probe(Word key) const {
        const Bucket& bucket = buckets[key & mask];
        if (bucket.deepest.fits(key) && bucket.deepest.data.word != 0) return bucket.deepest.data;
        if (bucket.latest.fits(key)) return bucket.latest.data;
        return {0};
    }

    void put(Word key, Data data) {
        Bucket& bucket = buckets[key & mask];
        const Entry entry{key ^ data.word, data};
        const bool is_same = bucket.deepest.fits(key);
        if (is_same || data.depth() >= bucket.deepest.data.depth() || data.age() != bucket.deepest.data.age()) {
            if (!is_same) bucket.latest = bucket.deepest;
            bucket.deepest = entry;
        } else {
            bucket.latest = entry;
        }
    }
};

inline Word digest(const Position& p, Word seat) {
    constexpr Word factor = 0xBF58476D1CE4E5B9;
    const auto mixed = [](auto... words) {
        Word key = 0x9E3779B97F4A7C15, own = key;
        ((words *= factor, key += (words ^ words >> 32) * own, own *= 0xD6E8FEB86659FD93), ...);
        key = (key ^ key >> 32) * factor;
        return key ^ key >> 29;
    };
    return mixed(p.mine_lo, p.mine_hi, p.theirs_lo, p.theirs_hi, Word{p.mine_won}, Word{p.theirs_won}, Word{p.open},
                 Word{p.targets}, seat);
}

// As ludus.search.stopping and ludus.search.alphabeta lay out the words of a thread's room.
struct Room {
    std::int64_t stop, deadline, node_limit, look_every, nodes, next_look, aborted;
    std::int64_t age, is_selective, margin, judged_depth, sorted_depth, root_move, row;
    std::int64_t guesses, hits, cuts, first_cuts, best, banned[45];
    std::int64_t killers[most_plies][2], history[2][moves_in_all], order[most_plies][moves_in_all];
};

inline int reduced_depth(int below, int depth, int searched, Score gap, Score margin) {
    if (searched <= early || depth < 3) return below;
    int less = 1 + (searched > 3) + (searched > 5) + (depth >= 7) + (depth >= 11);
    if (margin > 0) less += (2 * gap > margin) + (gap > 2 * margin) - (gap < 0);
    return std::max(1, below - less);
}

struct Promise {
    int move;
    Score score;
};

struct Search {
    Table table;
    Room& room;
    int first_seat;

    // A move that ends the game with at least beta.
    static int ends_well(const Position& position, Score beta) {
        for (auto rest = position.moves(); !rest.empty();) {
            const int move = rest.take_first();
            const Position child = position.play(move);
            if (child.has_ended() && (child.last_mover_won() ? scale : 0) >= beta) return move;
        }
        return no_move;
    }

    // Each move below what it promises; how many they are.
    int write_down(const Position& position, ultimate::Moves rest, bool is_judged, int ply) {
        const auto& history = room.history[(first_seat + ply) & 1];
        int size = 0;
        while (!rest.empty()) {
            const unsigned move = rest.take_first();
            Score promise = history[move];
            if (is_judged) {
                const Position child = position.play(move);
                promise = child.has_ended() ? (child.last_mover_won() ? scale : 0) : -evaluation::evaluate(child);
            }
            room.order[ply][size++] = promise * 1024 | move;
        }
        return size;
    }

    static Promise take_best(std::int64_t* moves, int size) {
        const auto best = std::max_element(moves, moves + size);
        const Promise taken{static_cast<int>(*best & 1023), *best >> 10};
        *best = moves[size - 1];
        return taken;
    }

    void remember_cut(int ply, int move, int depth) {
        auto& killers = room.killers[ply];
        if (killers[0] != move) {
            killers[1] = killers[0];
            killers[0] = move;
        }
        room.history[(first_seat + ply) & 1][move] += depth * depth;
    }

    Score negamax(const Position& position, int depth, Score alpha, Score beta, int ply, int excluded = no_move) {
        const Word key = digest(position, (first_seat + ply) & 1);
        const Data data = table.probe(key);
        const bool is_whole = excluded == no_move;
        int table_move = no_move;
        if (data.bound() != nothing && is_whole) {
            table_move = data.move();
            const Score score = data.score();
            const bool is_enough = data.bound() == exact || (data.bound() == at_least && score >= beta) ||
                                   (data.bound() == at_most && score <= alpha);
            if (ply > 0 && data.depth() >= depth && is_enough) {
                ++room.hits;
                room.guesses += data.depth() != to_the_end;
                return score;
            }
        }
        const std::int64_t guesses_before = room.guesses;
        if (depth <= static_depth && room.margin > 0 && ply > 0 && is_whole) {
            const Score guess = evaluation::evaluate(position);
            if (guess - room.margin * depth >= beta) {
                ++room.guesses;
                return guess;
            }
        }
        if (depth >= 2 && is_whole) {
            if (const int move = ends_well(position, beta); move != no_move) {
                ++room.nodes;
                ++room.cuts;
                ++room.first_cuts;
                if (ply == 0) room.best = move;
                table.put(key, Data::of(beta, move, to_the_end, at_least, room.age));
                return beta;
            }
        }

        if (ply == 0 && room.root_move != no_move) table_move = int(room.root_move);
        auto rest = position.moves();
        if (!is_whole) rest.remove(excluded);
        const int width = rest.size();
        const bool is_forced = width == 1 && ply > 0 && room.is_selective;
        int single = no_move;  // a move that has no rival
        const bool is_tested = is_whole && ply > 0 && width > 1 && depth >= singular_depth && room.margin > 0;
        if (is_tested && table_move != no_move && rest.has(table_move) && data.bound() != at_most &&
            data.depth() >= depth - 3 && data.depth() < to_the_end) {
            const Score edge = data.score() - room.margin * depth / singular_part;
            const Score score = negamax(position, (depth - 1) / 2, edge - 1, edge, ply, table_move);
            if (edge <= score && beta <= edge) {
                ++room.guesses;
                return edge;
            }
            room.guesses = guesses_before;
            if (score < edge) single = table_move;
        }
        const bool is_judged = depth >= room.judged_depth;
        const Score low = alpha;
        Score best = -infinity;
        int best_move = no_move, searched = 0, stage = 0, left = 0;
        while (searched < width) {
            // The next move: of the table, then by the evaluation; or the killers, then by history or as they come.
            int move;
            Score gap = 0;
            if (stage < 3) {
                move = stage == 0 ? table_move : room.killers[ply][stage - 1];
                stage = is_judged ? 3 : stage + 1;
                if (move < 0 || move >= no_move || !rest.has(move)) continue;
            } else if (stage == 3) {
                if (depth >= sorted_depth) left = write_down(position, rest, is_judged, ply);
                stage = 4;
                continue;
            } else if (left > 0) {
                const Promise taken = take_best(room.order[ply], left--);
                move = taken.move;
                if (is_judged) gap = alpha - taken.score;
            } else {
                move = rest.first();
            }
            rest.remove(move);
            ++searched;

            const Position child = position.play(move);
            ++room.nodes;
            Score score;
            if (child.has_ended()) {
                score = child.last_mover_won() ? scale : 0;
            } else if ((depth <= 1 && !is_forced) || ply >= most_plies - 2) {
                ++room.guesses;
                score = -evaluation::evaluate(child);
            } else {
                const int below = is_forced || move == single ? depth : depth - 1;
                score = alpha + 1;
                if (searched > 1) {  // a window of zero width first
                    const int depth_now =
                        room.is_selective ? reduced_depth(below, depth, searched, gap, room.margin) : below;
                    score = -negamax(child, depth_now, -alpha - 1, -alpha, ply + 1);
                    if (score > alpha && depth_now < below)
                        score = -negamax(child, below, -alpha - 1, -alpha, ply + 1);
                }
                if (score > alpha && (searched == 1 || score < beta))
                    score = -negamax(child, below, -beta, -alpha, ply + 1);
            }

            if (score > best) {
                best = score;
                best_move = move;
                if (ply == 0 && (score > alpha || searched == 1)) room.best = move;
                alpha = std::max(alpha, score);
                if (score >= beta) {
                    ++room.cuts;
                    room.first_cuts += searched == 1;
                    remember_cut(ply, move, depth);
                    break;
                }
            }
        }
        const Bound bound = best >= beta ? at_least : best > low ? exact : at_most;
        const int known_depth = room.guesses == guesses_before ? to_the_end : depth;
        if (is_whole) table.put(key, Data::of(best, best_move, known_depth, bound, room.age));
        return best;
    }
};

}  // namespace alphabeta
