// A program that plays ultimate over the CodinGame protocol: alpha-beta, one move deeper while there is time.
//
//     g++ -O2 -std=c++17 -o uttt uttt.cpp
//
// Blocks and cells are numbered 0 to 8, row by row. Nine cells are the bits of one int: bit 4 is the centre.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

using Clock = std::chrono::steady_clock;

const auto TIME_FOR_A_MOVE = std::chrono::milliseconds(60);  // of 100
const int WIN = 1000000, ANY = 9;
const int LINES[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};  // octal: one digit is one row
const int CELLS[9] = {4, 0, 2, 6, 8, 1, 3, 5, 7};  // moves are tried in this order: good ones first give more cuts
const int PLACES[9] = {3, 2, 3, 2, 4, 2, 3, 2, 3};  // lines through each place

bool has_line[512];
int line_score[512][512];  // what nine places are worth to the one who holds the first set against the second

struct Move {
    int block, cell;
};

struct Position {
    int cells[2][9] = {};  // of the player to move, and of the opponent
    int won[2] = {};       // blocks, likewise
    int finished = 0;      // blocks that are won or full
    int target = ANY;      // the block that the last move names

    // The position after a move, seen by the other player.
    Position after(Move move) const {
        Position next = *this;
        std::swap(next.cells[0], next.cells[1]);
        std::swap(next.won[0], next.won[1]);
        int& mine = next.cells[1][move.block];
        mine |= 1 << move.cell;
        if (has_line[mine]) next.won[1] |= 1 << move.block;
        if (has_line[mine] || (mine | next.cells[0][move.block]) == 0777) next.finished |= 1 << move.block;
        next.target = move.cell;
        return next;
    }

    std::vector<Move> moves() const {
        std::vector<Move> result;
        const bool is_sent = target != ANY && !(finished >> target & 1);
        for (int block = 0; block < 9; ++block) {
            if (is_sent ? block != target : finished >> block & 1) continue;
            const int taken = cells[0][block] | cells[1][block];
            for (int cell : CELLS)
                if (!(taken >> cell & 1)) result.push_back({block, cell});
        }
        return result;
    }

    // A guess without looking ahead: lines that can still be finished, in the blocks and on the board of blocks.
    int evaluate() const {
        const int drawn = finished & ~won[0] & ~won[1];
        int value = 30 * (line_score[won[0]][won[1] | drawn] - line_score[won[1]][won[0] | drawn]);
        for (int block = 0; block < 9; ++block) {
            if (finished >> block & 1) continue;
            const int mine = cells[0][block], theirs = cells[1][block];
            value += PLACES[block] * (line_score[mine][theirs] - line_score[theirs][mine]);
        }
        return value;
    }
};

void fill_tables() {
    for (int mine = 0; mine < 512; ++mine) {
        for (int line : LINES) {
            if ((mine & line) == line) has_line[mine] = true;
            for (int theirs = 0; theirs < 512; ++theirs) {
                const int held = __builtin_popcount(mine & line);
                if (!(theirs & line)) line_score[mine][theirs] += held * held;
            }
        }
    }
}

Clock::time_point deadline;
bool is_out_of_time;
int nodes;

// What the position is worth to the player to move; only values between alpha and beta need be exact.
int search(const Position& position, int depth, int alpha, int beta) {
    if (++nodes % 1024 == 0 && Clock::now() > deadline) is_out_of_time = true;
    if (is_out_of_time) return 0;  // nobody will use it
    if (has_line[position.won[1]]) return -WIN - depth;  // an early loss has more depth left: it counts as worse
    if (position.finished == 0777)
        return __builtin_popcount(position.won[0]) - __builtin_popcount(position.won[1]);
    if (depth == 0) return position.evaluate();
    for (Move move : position.moves()) {
        alpha = std::max(alpha, -search(position.after(move), depth - 1, -beta, -alpha));
        if (alpha >= beta) break;  // the opponent has something better than to let us come here
    }
    return alpha;
}

// The best of these moves by the deepest search that was finished in time.
Move best_move(const Position& position, std::vector<Move> moves) {
    is_out_of_time = false;
    for (int depth = 0; depth < 81 && moves.size() > 1; ++depth) {
        int best = -2 * WIN;
        size_t best_index = 0;
        for (size_t i = 0; i < moves.size(); ++i) {
            const int value = -search(position.after(moves[i]), depth, -2 * WIN, -best);
            if (is_out_of_time) return moves[0];
            if (value > best) {
                best = value;
                best_index = i;
            }
        }
        // The best move comes first: it is the answer if time runs out now, and gives more cuts if not.
        std::rotate(moves.begin(), moves.begin() + best_index, moves.begin() + best_index + 1);
        if (std::abs(best) >= WIN) break;  // decided: looking deeper changes nothing
    }
    return moves[0];
}

Move from_row_and_column(int row, int column) {
    return {row / 3 * 3 + column / 3, row % 3 * 3 + column % 3};
}

int main() {
    fill_tables();
    Position position;
    int row, column, count;
    while (std::cin >> row >> column) {  // the opponent's move, -1 -1 where there is none
        deadline = Clock::now() + TIME_FOR_A_MOVE;
        if (row >= 0) position = position.after(from_row_and_column(row, column));
        std::cin >> count;  // then the legal moves, one a line
        std::vector<Move> moves;
        for (int i = 0; i < count && std::cin >> row >> column; ++i) moves.push_back(from_row_and_column(row, column));
        if (moves.empty()) moves = position.moves();  // a referee may leave the list to us
        const Move move = best_move(position, moves);
        position = position.after(move);
        // std::endl sends the line off at once; in a buffer it would wait while the clock runs.
        std::cout << move.block / 3 * 3 + move.cell / 3 << ' ' << move.block % 3 * 3 + move.cell % 3 << std::endl;
    }
}
