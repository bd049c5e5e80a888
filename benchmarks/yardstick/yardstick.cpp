// perft, random games and searches over a hand-written position, with a C interface for each way to hold one.
//
// The algorithms are those of ludus.search, so that equal work is compared: the parent tests the child before
// it goes down, the depth is an argument, and random numbers come from the same generator. Equal freedom, too:
// neither side forces the compiler to keep what nobody looks at.
#include <cstdint>

#include "alphabeta.hpp"
#include "evaluation.hpp"
#include "mcts.hpp"
#include "random.hpp"
#include "ultimate.hpp"

namespace {

using ultimate::Word;

// Sequences of `depth` moves, every last one really played.
template <class Position>
Word leaves(const Position& position, int depth) {
    Word total = 0;
    for (auto rest = position.moves(); !rest.empty();) {
        const Position child = position.play(rest.take_first());
        if (depth == 1) {
            ++total;
        } else if (!child.has_ended()) {
            total += leaves(child, depth - 1);
        }
    }
    return total;
}

// The same count for depth >= 2, the last ply counted instead of played.
template <class Position>
Word bulk(const Position& position, int depth) {
    Word total = 0;
    for (auto rest = position.moves(); !rest.empty();) {
        const Position child = position.play(rest.take_first());
        if (!child.has_ended()) total += depth == 2 ? child.moves().size() : bulk(child, depth - 1);
    }
    return total;
}

// The sum of the first seat's payoffs over random games; random[0] is the generator's state and moves on.
template <class Position>
std::int64_t sum_of_games(std::int64_t games, Word* random) {
    Word x = random[0];
    std::int64_t total = 0;
    for (std::int64_t game = 0; game < games; ++game) {
        Position position = Position::start();
        std::int64_t payoff = -1;  // of the first seat, should the side that has just moved have won
        while (!position.has_ended()) {
            x = scramble(x);
            const auto legal = position.moves();
            position = position.play(legal.nth(random_below(x, legal.size())));
            payoff = -payoff;
        }
        if (position.last_mover_won()) total += payoff;
    }
    random[0] = x;
    return total;
}

}  // namespace

#define EXPORT(name, Position)                                                                     \
    extern "C" Word name##_leaves(int depth) { return leaves(Position::start(), depth); }           \
    extern "C" Word name##_bulk(int depth) { return bulk(Position::start(), depth); }               \
    extern "C" std::int64_t name##_games(std::int64_t games, Word* random) {                        \
        return sum_of_games<Position>(games, random);                                               \
    }                                                                                              \
    extern "C" void name##_mcts(const Word* root, mcts::Node* nodes, mcts::Bounds* proofs,          \
                                const double* table, mcts::Step* path, mcts::Report* report, Word* random) { \
        mcts::grow<Position>(root, nodes, proofs, table, path, report, random);                    \
    }

EXPORT(free_cells, ultimate::FreeCells)
EXPORT(block_sets, ultimate::BlockSets)

extern "C" void load_evaluation(const std::int16_t* weights, const std::int16_t* payoffs, const std::int64_t* ours,
                                const std::int64_t* theirs) {
    evaluation::load(weights, payoffs, ours, theirs);
}

// One iteration of alpha-beta, as ludus.search.alphabeta.search_once.
extern "C" std::int64_t block_sets_alphabeta(const Word* root, std::int64_t depth, std::int64_t alpha,
                                             std::int64_t beta, alphabeta::Bucket* buckets, Word bucket_count,
                                             alphabeta::Room* room) {
    room->guesses = 0;
    alphabeta::Search search{{buckets, bucket_count - 1}, *room, int(root[8])};
    return search.negamax(ultimate::BlockSets::from(root), depth, alpha, beta, 0);
}
